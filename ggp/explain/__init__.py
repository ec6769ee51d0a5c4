"""Why an answer is what it is: is it unique, what forces a cell, which clues contradict each other?"""
