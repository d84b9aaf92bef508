#!/bin/sh
# SPDX-FileCopyrightText: The Plumbline authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# with-display.sh PROGRAM [ARGUMENT…]: runs a test in a display of its own, so that keys and focus
# of two tests don't meet, and without a session bus, so that no other program answers.
set -eu
unset WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS
export GDK_BACKEND=x11
exec xvfb-run -a -s '-screen 0 1600x1000x24' "$@"
