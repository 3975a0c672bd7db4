# make run      the window on the comparison of the loss and the fix; without a display, as pictures
# make test     every test
# make quick    the tests that take less than two minutes together
# make fuzz     read 20,000 spoiled files, diagnose 2,000 random incidents, hold what is said of 360, read all
#               recordings with Spark, hit the window, kill what writes documents at every system call, try new
#               examples of properties
# make referee  distort every recording in every known way, and hold what is said against its truth; SEED=5. What it
#               finds is in .distorted.jsonl, for `make goldens ONLY=distortions`. Distort 2,000 random incidents.
#               Hold every cause that is named for two eras, or two sets of switches, against runs with the switches flipped.
#               Hold every sentence of the inspector against its predicate, with each switch at each of its values
# make mutants  break 300 rules, one at a time, and say which of them no test notices (docs/mutants.md)
# make bench    measure against the goals, and print a table
# make screenshots    drive the real window under Xvfb and take the pictures of docs/pictures anew
# make goldens  write every golden text and generated document anew, and say what changed; ONLY=help lists the parts
# make catalogues  check the catalogues of sentences, and compile them
# make clean    remove the environment

# Where Python may not keep what it compiled, every run and every process that a test starts compiles all modules anew:
# that took half of the time in which tests are collected.
unexport PYTHONDONTWRITEBYTECODE

# Unbuffered: what is printed when a worker dies stands beside what it was doing.
PYTEST = QT_QPA_PLATFORM=offscreen .venv/bin/python -u -m pytest

.PHONY: run test quick fuzz referee mutants bench screenshots goldens catalogues clean

run:
	@.ci/bootstrap.sh run
	@.venv/bin/tidegauge demo

# loadgroup hands out one test at a time: those marked spark, which come first, take a minute each.
# A worker that dies is replaced, which takes a minute; where worker after worker dies, the run ends.
test:
	@.ci/bootstrap.sh test
	-@.venv/bin/python -m tests.spark.classes
	@$(PYTEST) -n 2 --dist loadgroup --max-worker-restart 4

quick:
	@.ci/bootstrap.sh test
	@$(PYTEST) -n 2 --dist loadgroup -m "not slow and not spark"

bench:
	@.ci/bootstrap.sh test
	@.venv/bin/python -m tests.bench.every

fuzz:
	@.ci/bootstrap.sh test
	@$(PYTEST) -n 0 -s --timeout 0 --fuzz 20000 tests/importers/test_fuzz.py
	@$(PYTEST) -n 0 -s --timeout 0 --incidents 2000 tests/core_sim_logs/test_incidents.py
	@$(PYTEST) -n 0 -s --timeout 0 --incidents 360 --incidents-from 990000 tests/claims/test_random_incidents.py
	@$(PYTEST) -n 0 --timeout 0 --recordings all tests/spark/test_recordings.py
	@$(PYTEST) -n 0 --timeout 0 --monkey 20000 tests/gui_window/test_monkey.py
	@$(PYTEST) -n 0 -s --timeout 0 --kills all tests/kills
	@$(PYTEST) -n 2 --timeout 0 --every-case -m thinned
	@$(PYTEST) -n 2 --timeout 0 --hypothesis-profile fuzz -m hypothesis

referee:
	@.ci/bootstrap.sh test
	@rm -f .distorted.jsonl
	@$(PYTEST) -n 2 --timeout 0 --every-case --distorted-from "$(or $(SEED),5)" \
		--distorted-into .distorted.jsonl tests/recordings/test_distorted_recordings.py
	@$(PYTEST) -n 0 -s --timeout 0 --incidents 2000 tests/core_sim_logs/test_distorted_incidents.py
	@$(PYTEST) -n 2 --timeout 0 --every-case tests/core_sim/test_ablation_pairs.py
	@$(PYTEST) -n 2 --timeout 0 --every-case tests/claims/test_every_sentence.py

mutants:
	@.ci/bootstrap.sh test
	@QT_QPA_PLATFORM=offscreen .venv/bin/python -m tests.mutants.run

screenshots:
	@.ci/bootstrap.sh test
	@TIDEGAUGE_PICTURES="$$(cd docs/pictures && git ls-files '*.png')" \
		xvfb-run --auto-servernum --server-args="-screen 0 3840x2160x24" \
		.venv/bin/python -m tests.screenshots docs/pictures

# ONLY=scenarios: a part or a group of parts; OF=hw-loss: one scenario.
goldens:
	@.ci/bootstrap.sh test
	@.venv/bin/python -m tests.goldens "$(ONLY)" --of "$(OF)"

catalogues:
	@.ci/bootstrap.sh test
	@.venv/bin/python .ci/catalogues.py

clean:
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis build dist
