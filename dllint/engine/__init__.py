"""From files to findings: queries, rules, suppression, fixes; the façade of the command line and the editor."""
