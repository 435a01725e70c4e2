print("forme")
