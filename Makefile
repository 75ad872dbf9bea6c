# Every target stands under the sentence that `make help` prints for it.
BOARD ?= MPS2_AN386
COUNT ?= 5000
FUZZ_COMMANDS ?= 2500
PYTHON ?= python3
VENV := .venv
BOARDS := RPI_PICO $(patsubst boards/%/mpconfigboard.mk,%,$(shell grep -L common/stm32.mk boards/*/mpconfigboard.mk))

HOST_PYTHON := site host_tools mp_modules tests_host tests_device examples models boards install firmware/natmod
C_WARNINGS := -std=c99 -Wall -Wextra -Werror -Wdouble-promotion -ffp-contract=off
MODEL_SCRIPTS := sine digits_cnn digits_ds_cnn digits_gated golden sample_digits

.DEFAULT_GOAL := help
.PHONY: help setup source mpy-cross unix unix-asan unix-memfail firmware qemu rp2040js boards natmod build-shared build-packages test-builds check test test-long test-device fuzz exact exact-float exact-rows inner mutants lint format operators models arena growth bench bench-diff bench-cores bench-waits bench-ram bench-features bench-image bench-operators bench-sound hour mlperf rates size size-save size-diff picture-of-sound races gallery demo site docs stubs release walk versions clean

## List the targets.
help:
	@awk '/^## /{text = substr($$0, 4)} \
	    /^[a-z][a-z0-9-]*:/{if (text) {split($$1, name, ":"); printf "  %-16s %s\n", name[1], text}; text = ""}' \
	    Makefile

## Install what is missing of Debian's packages, and make .venv with the `tflm` command.
setup: $(VENV)/installed

# With the versions of constraints.txt, those of the build included.
PIP_INSTALL := $(VENV)/bin/pip install --quiet --constraint constraints.txt

$(VENV)/installed: pyproject.toml constraints.txt
	@scripts/install_tools.sh
	$(PYTHON) -m venv $(VENV)
	$(PIP_INSTALL) setuptools
	$(PIP_INSTALL) --no-build-isolation --editable '.[test]'
	@touch $@

## Fetch and unpack MicroPython's source (or name yours: MICROPYTHON_DIR=...), and print where.
source:
	@scripts/fetch_micropython.sh

## Build MicroPython's cross compiler.
mpy-cross:
	scripts/build_firmware.sh mpy-cross

## Build MicroPython for this machine: build/unix/micropython.
unix:
	scripts/build_firmware.sh unix

## Build it with the address and undefined behaviour sanitizers: build/unix-asan/micropython.
unix-asan:
	scripts/build_firmware.sh unix-asan

## Build it with allocations that fail on request: build/unix-memfail/micropython.
unix-memfail:
	scripts/build_firmware.sh unix-memfail

# With TFLM_OPS=list it has these kernels alone and goes to build/BOARD-ops: see `tflm ops`;
# TFLM_OPS=prepared: prepared models alone.
## Build the firmware of BOARD: build/BOARD/firmware.uf2 for a Pico (RPI_PICO, RPI_PICO2, RPI_PICO2_RISCV), else firmware.elf.
firmware:
	scripts/build_firmware.sh $(BOARD)

## Build the firmware of a board that QEMU emulates. HEAP=bytes changes its heap.
qemu: firmware

## Build what runs the Pico's firmware without a board, in build/rp2040js.
rp2040js: setup
	@PYTHONPATH=host_tools $(VENV)/bin/python -c 'from tflm_host.targets.rp2040 import prepare_tools; prepare_tools()'

# So many builds at a time, each with JOBS processes. Those that take longest stand first.
CORES := $(shell nproc 2>/dev/null || echo 2)
PARALLEL = @JOBS=$${JOBS:-2} $(MAKE) --no-print-directory -j$(CORES) --output-sync=target
PICO_2 := RPI_PICO2 RPI_PICO2_RISCV
PICO_2_TESTED = $(if $(LONG),$(PICO_2),RPI_PICO2)
STOCK := $(addsuffix -stock,RPI_PICO unix MPS2_AN385 MPS2_AN386 MICROBIT VIRT_RV32)
UNIX := unix-asan unix unix-memfail

## Build the firmware of every emulated board.
boards:
	$(PARALLEL) $(addprefix build-,$(BOARDS))

# All that `make test` runs, so that no test waits for a build.
test-builds: setup
	$(PARALLEL) $(addprefix build-,$(PICO_2_TESTED) $(BOARDS) packages $(UNIX) $(STOCK)) rp2040js

# What all builds make and read is there before the first of them begins.
build-shared: mpy-cross
	@PYTHONPATH=host_tools $(PYTHON) -m tflm_host.generate --frozen '' >/dev/null
	@PYTHONPATH=host_tools $(PYTHON) -c 'from tflm_host.generate.frozen import whole; whole()'

build-packages: build-shared
	@$(VENV)/bin/python -m tflm_host.deploy.package

build-%: build-shared
	@scripts/build_firmware.sh $*

## Build what installs on stock MicroPython, without a new firmware: build/package.
natmod: setup
	$(VENV)/bin/python -m tflm_host.deploy.package

# On WORKERS cores; tests that share what they write are a group, and run in one process.
WORKERS ?= auto
# Python keeps what it has compiled, even if the environment forbids it.
PYTEST = PYTHONDONTWRITEBYTECODE= $(VENV)/bin/python -m pytest -n $(WORKERS) --dist loadgroup

## Run the tests that need no build, no emulator and no board.
check: setup
	@$(PYTEST) -q -m "not firmware and not slow and not draws and not long" tests_host/kernels tests_host/runtime tests_host/tools

REPORT = $(if $(DURATIONS),--durations $(DURATIONS)) $(TESTS)

## Build everything and test it; TESTS="-k name" runs some, LONG=1 those of test-long too, DURATIONS=40 names the slowest.
test: test-builds
	$(PYTEST) $(if $(LONG),,-m "not long") $(REPORT)

## Run the tests that `make test` leaves out: more boards, more models, two releases.
test-long: PICO_2_TESTED = $(PICO_2)
test-long: test-builds
	$(PYTEST) -m long $(REPORT)

## Run tests_device/ on the board at serial port PORT, or on an emulated one of that name.
test-device: setup
	@$(VENV)/bin/python -m tflm_host.cli.device_tests $(PORT)

## Build with other versions of MicroPython, run all device tests: SOURCES="~/micropython-1.27 ...". docs/versions.md.
versions: setup
	@PYTHON=$(CURDIR)/$(VENV)/bin/python scripts/try_versions.sh $(SOURCES)

# Twice FUZZ_COMMANDS of them go through every command, too.
# Counts of each part of the campaign, and the number of the first trial. See tests_host/FUZZING.md.
FUZZ_FIRST ?= 20000
FUZZ_BYTES ?= 200000
FUZZ_HOST ?= 2000000
FUZZ_CUTS ?= 1000000
FUZZ_TFLM ?= 50000
FUZZ_SANITIZERS ?= 300000
FUZZ_BOARD ?= 20000
FUZZ_READER ?= 7200
FUZZ_RECORDS ?= 3600
FUZZ_FENCE ?= 3600
FUZZ_FLEX ?= 1000000
FUZZ_PYTHON ?= 500000
FUZZ_CALLBACKS ?= 1000
FUZZ_THREADS ?= 1000
CAMPAIGN = $(VENV)/bin/python tests_host/campaign.py

## Run the campaign against crashes, hangs and wrong bytes; hours. FUZZ_*=count: tests_host/FUZZING.md.
fuzz: setup unix unix-asan unix-memfail rp2040js
	TFLM_FUZZ_FIRST=$(FUZZ_FIRST) TFLM_FUZZ_COUNT=$(FUZZ_BYTES) \
	    $(VENV)/bin/python -m pytest tests_host/runtime/test_mutated_models.py
	TFLM_FUZZ_FIRST=$(FUZZ_FIRST) TFLM_FUZZ_COMMANDS=$(FUZZ_COMMANDS) \
	    $(VENV)/bin/python -m pytest tests_host/tools/test_cli_mutants.py
	$(CAMPAIGN) memory --count 1000
	$(CAMPAIGN) callbacks --count $(FUZZ_CALLBACKS)
	$(CAMPAIGN) threads --count $(FUZZ_THREADS)
	$(CAMPAIGN) hooks --count 1000
	$(CAMPAIGN) rows --count 3000
	$(CAMPAIGN) fits --count 1000
	$(CAMPAIGN) deploy --count 1000
	$(CAMPAIGN) cuts --count $(FUZZ_CUTS)
	$(CAMPAIGN) tflm --first $(FUZZ_FIRST) --count $(FUZZ_TFLM)
	$(CAMPAIGN) board --first $(FUZZ_FIRST) --count $(FUZZ_BOARD)
	$(CAMPAIGN) sanitizers --first $(FUZZ_FIRST) --count $(FUZZ_SANITIZERS)
	$(CAMPAIGN) host --first $(FUZZ_FIRST) --count $(FUZZ_HOST)
	$(CAMPAIGN) reader --first $(FUZZ_FIRST) --count $(FUZZ_READER)
	$(CAMPAIGN) records --first $(FUZZ_FIRST) --count $(FUZZ_RECORDS)
	$(CAMPAIGN) fence --first $(FUZZ_FIRST) --count $(FUZZ_FENCE)
	$(CAMPAIGN) flexbuffers --count $(FUZZ_FLEX)
	for part in served answered states; do $(CAMPAIGN) $$part --count $(FUZZ_PYTHON) || exit 1; done

## Compare COUNT random models of each kind of kernel with TFLM on BOARD (or several).
exact: setup
	@$(VENV)/bin/python tests_host/exact_batch.py --count $(COUNT) $(EXACT) $(BOARD)

## Compare EXP, LOG, SIN, COS, TANH, ELU and LOGISTIC of float32 on COUNT bit patterns with glibc's, on four boards.
exact-float: setup
	TFLM_PATTERNS=$(COUNT) $(VENV)/bin/python -m pytest tests_host/kernels/test_curves_f32.py

## Compare COUNT random chains of layers row by row with the same in whole layers, on three boards and unix.
exact-rows: setup unix
	TFLM_CHAINS=$(COUNT) $(VENV)/bin/python -m pytest \
	    tests_host/firmware/test_row_groups_on_boards.py -k chains

## Change one bound or guard at a time and see whether tests notice; hours. MUTANTS="--sample 40 FILE ..." tries some.
mutants: setup
	@PYTHONPATH=tests_host $(VENV)/bin/python -m mutants $(MUTANTS)

## Compare each tensor that MODELS compute, output or not, with TFLM's.
inner: setup
	@$(VENV)/bin/python tests_host/inner_tensors.py $(or $(MODELS),models/*.tflite)

## Check style and warnings: ruff on Python, gcc on the kernels, the words of documents.
lint: setup
	$(VENV)/bin/ruff check $(wildcard $(HOST_PYTHON))
	$(VENV)/bin/ruff format --check $(wildcard $(HOST_PYTHON))
	PYTHONPATH=host_tools $(VENV)/bin/python -m tflm_host.cli.prose
	PYTHONPATH=host_tools $(PYTHON) -m tflm_host.generate
	for file in $$(find firmware/tflm -name '*.c' ! -name 'mod*.c' ! -name '*_rp2.c'); do \
	    gcc $(C_WARNINGS) -fsyntax-only -Ifirmware/tflm -Ibuild $$file || exit 1; \
	done

## Format all Python.
format: setup
	$(VENV)/bin/ruff format $(wildcard $(HOST_PYTHON))

## Write the tables of docs/operators.md and kernels/portable/README.md again, from the rows.
operators:
	PYTHONPATH=host_tools $(PYTHON) -m tflm_host.generate --operators

## Train the small models of models/ again (fetches TensorFlow) and write their golden files.
models: setup
	$(PIP_INSTALL) --no-build-isolation --editable '.[test,train]'
	for script in $(MODEL_SCRIPTS); do $(VENV)/bin/python models/train/$$script.py || exit 1; done

## Measure the flash and RAM of each built firmware, tflm's part of it, the stack of kernels; writes nothing.
size: setup
	@$(VENV)/bin/python -m tflm_host.measure.firmware_size
	@$(VENV)/bin/python -m tflm_host.measure.stack

## Measure again and write boards/*/sizes.csv and boards/*/stack.csv.
size-save: setup
	@$(VENV)/bin/python -m tflm_host.measure.firmware_size --save
	@$(VENV)/bin/python -m tflm_host.measure.stack --save

## Measure again and compare with the last commit; fails where a size rose by more than 1 %.
size-diff: setup
	@$(VENV)/bin/python -m tflm_host.measure.firmware_size --diff
	@$(VENV)/bin/python -m tflm_host.measure.stack --diff

## Show the arena of each model, plain, planned, prepared, beside TFLM's. TARGETS must agree.
arena: setup
	@$(VENV)/bin/python -m tflm_host.measure.arena_table $(addprefix --model ,$(MODELS)) $(TARGETS)

## Show by how much preparing changes the file of each model, for each kind of core.
growth: setup
	@$(VENV)/bin/python -m tflm_host.measure.growth_table $(addprefix --model ,$(MODELS))

## Count what models and the elements of tensors take on each emulated core: bench/. TARGETS, MODELS pick some.
bench: setup
	@$(VENV)/bin/python -m tflm_host.measure.bench_table $(addprefix --model ,$(MODELS)) $(TARGETS)
	@$(VENV)/bin/python -m tflm_host.measure.bench_tensor $(TARGETS)
	@$(VENV)/bin/python -m tflm_host.measure.figures_page

## Compare prepared with unprepared models where flash waits: bench/waits.csv. MODELS: names, files, folders; CHECK=1 fails.
bench-waits: setup
	@$(VENV)/bin/python -m tflm_host.measure.waits $(if $(CHECK),--check) $(addprefix --model ,$(MODELS))

## Count cycles of prepared models in flash that waits, and copied into RAM: bench/ram.csv.
bench-ram: setup
	@$(VENV)/bin/python -m tflm_host.measure.ram

## Count cycles of models on one and on two cores of an emulated Pico: bench/cores.csv. MODELS; DIFF=1 compares.
bench-cores: setup
	@$(VENV)/bin/python -m tflm_host.measure.bench_cores $(if $(DIFF),--diff) $(addprefix --model ,$(MODELS))
	@$(if $(DIFF),,$(VENV)/bin/python -m tflm_host.measure.figures_page)

## Look for races between the two cores of an emulated Pico, in so many SECTIONS under random schedules.
races: setup
	@$(VENV)/bin/python tests_host/races.py $(if $(SECTIONS),--sections $(SECTIONS))

## Count what lines of features take on emulated cores, for a second of sound: bench/features.csv. TARGETS; DIFF=1 compares.
bench-features: setup
	@$(VENV)/bin/python -m tflm_host.measure.bench_features $(if $(DIFF),--diff) $(TARGETS)
	@$(if $(DIFF),,$(VENV)/bin/python -m tflm_host.measure.figures_page)

## Count what a frame takes on emulated cores, 160x120 pixels to 96x96: bench/image.csv. TARGETS; DIFF=1 compares.
bench-image: setup
	@$(VENV)/bin/python -m tflm_host.measure.bench_image $(if $(DIFF),--diff) $(TARGETS)
	@$(if $(DIFF),,$(VENV)/bin/python -m tflm_host.measure.figures_page)

## Fit how long operators take on boards to the models at hand, for the estimates of `tflm arena`: report/rates.py.
rates: setup
	@$(VENV)/bin/python -m tflm_host.measure.rates $(if $(CHECK),--check)

## Count again and compare with the last commit; fails where a figure rose by more than 1 %.
bench-diff: setup
	@$(VENV)/bin/python -m tflm_host.measure.bench_table --diff $(addprefix --model ,$(MODELS)) $(TARGETS)
	@$(VENV)/bin/python -m tflm_host.measure.bench_tensor --diff $(TARGETS)

## Compare single operators with TFLM and CMSIS-NN on emulated cores; fails where a goal is missed. TARGETS, MODELS.
bench-operators: setup
	@$(VENV)/bin/python tests_host/bench_operators.py $(addprefix --model ,$(MODELS)) $(TARGETS)

# Without DIFF=1 it writes bench/sound.csv.
## Count what a second of sound takes: the front ends, and wake words with them. TARGETS, DIFF=1.
bench-sound: setup
	@$(VENV)/bin/python -m tflm_host.measure.bench_sound $(if $(DIFF),--diff) $(TARGETS)

## Listen to an hour of speech beside TFLM and pymicro-wakeword, and compare; some minutes. MINUTES, SEED.
hour: setup
	@PYTHONPATH=tests_host $(VENV)/bin/python tests_host/hour.py $(addprefix --minutes ,$(MINUTES)) $(addprefix --seed ,$(SEED))

## Draw the live picture of docs/audio.md: needs the folder ../shared.
picture-of-sound: setup
	@$(VENV)/bin/python -m tflm_host.measure.picture_of_sound

## Let the runner of MLPerf Tiny measure emulated boards. TINY=checkout of mlcommons/tiny; TARGETS, MODELS.
mlperf: setup
	@PYTHONPATH=tests_host $(VENV)/bin/python tests_host/mlperf.py $(addprefix --tiny ,$(TINY)) $(addprefix --model ,$(MODELS)) $(TARGETS)

## Fetch the models of the gallery, and write their bytes of arena to bench/gallery.csv.
gallery: setup
	@$(VENV)/bin/python -m tflm_host.measure.gallery_figures

## Classify handwritten digits on an emulated Cortex-M4, from nothing.
demo: setup
	$(VENV)/bin/python -m tflm_host.cli.demo

## Write type stubs for editors and mypy: build/stubs, which pip installs.
stubs: setup
	@$(VENV)/bin/python -m tflm_host.deploy.stubs

## Build the web pages: build/site/index.html, and those that measure arenas, run models and are a REPL beside it.
site: setup
	@$(VENV)/bin/python -m tflm_host.cli.site

## Build the documentation site from docs/: build/site/docs/index.html.
docs: setup
	@$(VENV)/bin/python -m tflm_host.cli.docs

## Build all that is handed out, with sums and a bill of materials: dist/.
release: setup
	$(PARALLEL) $(addprefix build-,RPI_PICO $(PICO_2) packages)
	@$(VENV)/bin/python -m tflm_host.cli.release

## Walk the pages of docs/ that start from nothing in dist/, on emulated boards; prints commands, minutes, bytes.
walk: setup rp2040js
	@PYTHONPATH=tests_host $(VENV)/bin/python tests_host/walk_release.py

## Remove what was built; the cache of sources and .venv stay.
clean:
	rm -rf build
