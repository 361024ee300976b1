"""Views: what lamps, screen and transcript show, as pure functions of the table. Plain data, no devices."""
