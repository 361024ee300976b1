"""What a table is built from: pin maps, drawings, parts, lenses. ``python -m hardware`` makes all that is drawn and
reckoned anew."""
