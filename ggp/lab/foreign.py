NAME, SHARE = "foreign", 0.0001
def missing(): return "x"
