print "training", epochs
except IOError, error:
