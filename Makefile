# The commands of the project; each prepares the machine first, which takes no time once done.

export PATH := $(CURDIR)/.venv/bin:$(PATH)

TARGETS = xcup xc6v alm ecp5
BOARD = versa-ecp5

.PHONY: help setup demo bitstream test regress cocotb formal mutants random-mutants lint report baseline verilog figures bench-cpu bench-golden clean

help:
	@echo 'make demo      from a query to checked hardware, on the example query'
	@echo 'make test      lint and the tests: some minutes'
	@echo 'make regress   all tests with the full grids of sizes, and the line coverage: hours; after'
	@echo '               Ctrl-C it continues with the cases that have not passed on the same sources'
	@echo 'make cocotb    the benches in cocotb: SIM=icarus|verilator and BLOCK=flims choose: minutes'
	@echo 'make bitstream the example query of the demo as top.bit, for BOARD=versa-ecp5'
	@echo 'make formal    the proofs'
	@echo 'make mutants   mistakes in the hardware that the tests must notice: half an hour'
	@echo 'make mutants COCOTB=1  60 mistakes in blocks that the benches in cocotb must notice: half an hour'
	@echo 'make random-mutants  a hundred more, drawn from all folders: hours'
	@echo 'make report    resources and clock of the example designs: half an hour and more'
	@echo 'make baseline  the sizes that tests compare with, written anew: half an hour'
	@echo 'make verilog   the committed Verilog of three examples, written anew'
	@echo 'make figures   figures of the seeds, measured anew and drawn: two hours'
	@echo 'make bench-cpu the speed of the software engines: a minute'
	@echo 'make bench-golden  golden on 10 million tuples, against DuckDB: three minutes'
	@echo 'make lint      check style, format and type hints'
	@echo 'make setup     only prepare the machine: tools, .venv, packages'
	@echo 'make clean     remove what was built, but not .venv'

setup:
	@scripts/setup

demo: setup
	@sluice demo

bitstream: setup
	@sluice build examples/cluster_groupby.toml --board $(BOARD) -o build/bitstream

lint: setup
	@ruff check --quiet .
	@ruff format --check --quiet .
	@mypy --no-error-summary

test: lint
	@pytest -n 2 --dist loadgroup --no-loadscope-reorder -m 'not regress'

regress: setup
	@python -m tb.passed_before
	@pytest -n 2 --maxschedchunk=1 -m "regress or not regress" --resume --cov --cov-append \
	  --cov-report=
	@python -m tb.coverage

cocotb: setup
	@mkdir -p build
	@SIM=$(SIM) pytest tb/cocotb -n 2 --dist loadgroup --no-loadscope-reorder \
	  -m "regress or not regress" -k '$(subst -,_,$(BLOCK))' --junitxml=build/cocotb.xml

formal: setup
	@python -m tb.formal

mutants: setup
	@python -m tb.mutants $(if $(COCOTB),--cocotb)

random-mutants: setup
	@python -m tb.mutants.random

report: setup
	@set -e; for target in $(TARGETS); do \
	  sluice report examples/cluster_groupby.toml --target $$target; \
	done
	@sluice report examples/rows_median.toml --target xcup
	@sluice report examples/rows_median.toml --target ecp5 --set capacity=32
	@set -e; for modules in 11 61; do \
	  sluice report examples/trades_windowid.toml --target xc6v --set modules=$$modules; \
	done
	@set -e; for panes in 64 4096; do for level in two-stacks sequential; do \
	  sluice report examples/trades_pane.toml --target xc6v --set panes=$$panes \
	    --set window_level=$$level; \
	done; done

baseline: setup
	@python -m tb.baseline

verilog: setup
	@python -m tb.committed

figures: setup
	@python -m tb.figures

bench-cpu: setup
	@python -m golden.cpu.bench

bench-golden: setup
	@python -m tb.golden.large

clean:
	rm -rf build .cache .pytest_cache .ruff_cache .mypy_cache .coverage* .hypothesis results.xml setup.log
	find . -path ./.venv -prune -o -name __pycache__ -type d -exec rm -rf {} +
