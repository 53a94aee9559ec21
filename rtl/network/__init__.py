"""Networks over the lanes of a beat: prefix scans, the reverse butterfly, compaction."""
