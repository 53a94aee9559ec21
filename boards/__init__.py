BOARDS = {}
