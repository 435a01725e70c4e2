// Stand-in until the parser lands; dropped at merge.
