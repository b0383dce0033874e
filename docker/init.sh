#!/bin/sh
# Makes the namespace ready for donewhen. May be repeated: what is there already is kept.
set -eu

RETENTION=30d
TRIES_MAX=60
PAUSE_SECONDS=1

# A server that has just started, and a namespace that has just been made, are not known everywhere at once.
try() {
  tries=1
  until "$@" >/tmp/said 2>&1; do
    if [ "$tries" -ge "$TRIES_MAX" ]; then
      cat /tmp/said >&2
      echo "donewhen: gave up after $TRIES_MAX tries: $*" >&2
      exit 1
    fi
    tries=$((tries + 1))
    sleep "$PAUSE_SECONDS"
  done
}

try temporal operator cluster health
if temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" >/dev/null 2>&1; then
  try temporal operator namespace update --namespace "$TEMPORAL_NAMESPACE" --retention "$RETENTION"
else
  try temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention "$RETENTION"
fi

# Adding a name that is there with another type is answered as if it had been added, so the types are looked at afterwards.
attribute() {
  try temporal operator search-attribute create --namespace "$TEMPORAL_NAMESPACE" --name "$1" --type "$2"
  temporal operator search-attribute list --namespace "$TEMPORAL_NAMESPACE" >/tmp/attributes
  if ! grep -E -q "^ *$1 +$2 *$" /tmp/attributes; then
    echo "donewhen: search attribute $1 is not of type $2 in namespace $TEMPORAL_NAMESPACE: remove it, or use another namespace" >&2
    exit 1
  fi
}

attribute DonewhenMethod Keyword
attribute DonewhenPhase Keyword
attribute DonewhenOutcome Keyword
attribute DonewhenSlug Keyword
attribute DonewhenTask KeywordList
attribute DonewhenWaitingFor KeywordList
attribute DonewhenTasksDone Int
attribute DonewhenTasksTotal Int
attribute DonewhenCostUsd Double
echo "donewhen: namespace $TEMPORAL_NAMESPACE is ready"
