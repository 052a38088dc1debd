# SPDX-License-Identifier: Apache-2.0
#
# Rules of mpiskel for other people's Makefiles:
#
#     -include $(shell mpiskel --makefile)
#
# `make skeleton` records a whole build of the default goal (`make -B`) and makes the bundle
# EXE.skel beside each executable that it links. It changes nothing else: the default goal stays
# what it was, and what is recorded lies in .mpiskel/.
#
# To be set before the include, where the defaults do not fit:
#   MPISKEL_EXECUTABLES   those to skeletonize (default: all that the build links)
#   MPISKEL_BUILD         the command that builds everything anew
#   MPISKEL_FLAGS         options of `mpiskel generate`, such as --hints FILE
#
# Limits: names in MPISKEL_EXECUTABLES have no blanks, names of executables no characters that are
# special in JSON.

# The last name in the list, in which blanks of names look like those between them.
mpiskel_hash := \#
MPISKEL := $(shell list='$(MAKEFILE_LIST)'; while [ ! -e "$$list" ] && [ "$$list" != "$${list$(mpiskel_hash)* }" ]; do \
    list="$${list$(mpiskel_hash)* }"; done; \
    realpath -ms "$$(dirname "$$list")/../../bin/mpiskel")
MPISKEL_BUILD ?= $(MAKE) -B -f $(firstword $(MAKEFILE_LIST)) $(.DEFAULT_GOAL)

# Hands make's job server on, but lets `make -n` only print.
mpiskel_recursive := $(if $(findstring n,$(firstword -$(MAKEFLAGS))),,+)
# One executable a line, absolute, from link_commands.json.
mpiskel_linked = awk -F'"' '/^  "directory":/ { directory = $$4 } \
    /^  "output":/ && $$4 !~ /\.(a|o|lo)$$|\.so/ { \
    print ($$4 ~ /^\// ? $$4 : directory "/" $$4) }' .mpiskel/link_commands.json
mpiskel_default_goal := $(.DEFAULT_GOAL)

.PHONY: skeleton
skeleton:
	@mkdir -p .mpiskel
	@echo '*' > .mpiskel/.gitignore
	$(mpiskel_recursive)"$(MPISKEL)" capture -o .mpiskel/compile_commands.json -- $(MPISKEL_BUILD)
	@set -e; \
	executables="$(strip $(MPISKEL_EXECUTABLES))"; \
	if [ -n "$$executables" ]; then printf '%s\n' $$executables; else $(mpiskel_linked); fi | \
	    xargs -r -d '\n' realpath -ms | sort -u > .mpiskel/executables; \
	made=0; \
	while IFS= read -r executable <&3; do \
	    [ -e "$$executable" ] || continue; \
	    echo "$(MPISKEL) generate -p .mpiskel --link $$executable -o $$executable.skel $(MPISKEL_FLAGS)"; \
	    "$(MPISKEL)" generate -p .mpiskel --link "$$executable" -o "$$executable.skel" $(MPISKEL_FLAGS) 3<&-; \
	    made=$$((made + 1)); \
	done 3< .mpiskel/executables; \
	if [ $$made -eq 0 ]; then \
	    echo "mpiskel: error: the build linked no executable that is there now; name it in" \
	        "MPISKEL_EXECUTABLES" >&2; \
	    exit 1; \
	fi

.DEFAULT_GOAL := $(mpiskel_default_goal)
