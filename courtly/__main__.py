from courtly.cli import main

main(prog_name="courtly")
