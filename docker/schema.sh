#!/bin/sh
# Makes Temporal's two databases and brings them to the schema that is built into the tool. Each step may be repeated:
# a database that exists is kept, and a version that is higher than the first one is never set back.
set -eu

for name in temporal temporal_visibility; do
  case "$name" in
    temporal) schema=postgresql/v12/temporal ;;
    temporal_visibility) schema=postgresql/v12/visibility ;;
  esac
  temporal-sql-tool --database "$name" create-database
  temporal-sql-tool --database "$name" setup-schema --version 0.0
  temporal-sql-tool --database "$name" update-schema --schema-name "$schema"
done
