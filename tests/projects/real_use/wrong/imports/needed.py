print "needed by importer.py"  # planted: SyntaxError
