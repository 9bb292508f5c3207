// A game's WebAssembly in node: `node webassembly_harness.mjs GAME.wasm GAME.json` reads a list of jobs as JSON from
// standard input, and prints the list of their results.
import { readFileSync } from "node:fs";

const ALIGNMENT = 16;
const PAGE_BYTES = 65536;

class Rules {
  constructor(module, description) {
    this.description = description;
    this.exports = new WebAssembly.Instance(module, {}).exports;
    this.memory = this.exports.memory;
    this.releaseAll();
  }

  // --- memory ---

  releaseAll() {
    this.free = this.exports.heap_base.value;
  }

  allocate(bytes) {
    const address = Math.ceil(this.free / ALIGNMENT) * ALIGNMENT;
    this.free = address + bytes;
    const missing = this.free - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE_BYTES));
    this.bytes(address, bytes).fill(0);
    return address;
  }

  bytes(address, count) {
    return new Uint8Array(this.memory.buffer, address, count);
  }

  words(address, count) {
    return new BigInt64Array(this.memory.buffer, address, count);
  }

  numbers(length, values = []) {
    const address = this.allocate(8 * length);
    this.words(address, length).set(values.map(BigInt), 0);
    return { address, lengths: [length] };
  }

  read({ address }, count) {
    return [...this.words(address, count)].map(Number);
  }

  rows(count, length) {
    return { address: this.allocate(8 * count * length), lengths: [count, length] };
  }

  records(count) {
    return { address: this.allocate(count * this.description.record.size), lengths: [count] };
  }

  setRecord({ address }, hexadecimal) {
    this.bytes(address, this.description.record.size).fill(0);
    this.bytes(address, hexadecimal.length / 2).set(Buffer.from(hexadecimal, "hex"));
  }

  // the stored bytes of a record, in hexadecimal
  record({ address }, index = 0) {
    const { size, stored } = this.description.record;
    return Buffer.from(this.bytes(address + index * size, stored)).toString("hex");
  }

  // write the first values of all options, and these instead of some of them
  setOptions(address, options) {
    const view = new DataView(this.memory.buffer, address);
    const setters = { 1: "setInt8", 2: "setInt16", 4: "setInt32" };
    for (const [name, { offset, size, option }] of Object.entries(this.description.record.fields))
      if (option.length) view[setters[size]](offset, options[name] ?? option[0], true);
  }

  // --- calls ---

  // call an entry point with numbers and places in memory
  call(name, ...values) {
    const { parameters } = this.description.entry_points[name];
    if (values.length !== parameters.length) throw new Error(`${name} takes ${parameters.length} arguments`);
    const operands = parameters.flatMap(({ operands }, i) => {
      const value = values[i];
      const numbers = typeof value === "object" ? [value.address, ...(operands.length > 1 ? value.lengths : [])] : [value];
      return operands.map((type, k) => (type === "i64" ? BigInt(numbers[k]) : numbers[k]));
    });
    return this.exports[name](...operands);
  }
}

const JOBS = {
  // call an entry point with numbers and lists of numbers; returns its result as text, since it may have 64 bits
  call(rules, { name, values }) {
    const operands = values.map((value) => (Array.isArray(value) ? rules.numbers(value.length, value) : value));
    try {
      return String(rules.call(name, ...operands));
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      return { trap: error.message };
    }
  },

  // call a function of a state, two numbers and a row
  program(rules, { name, state, numbers, row }) {
    const record = rules.records(1);
    rules.setRecord(record, state);
    const list = rules.numbers(row.length, row);
    const result = rules.call(name, record, ...numbers, list);
    return [String(result), rules.record(record), rules.read(list, row.length)];
  },

  // the product of two numbers of 128 bits, modulo 2 ** 128
  wide_product(rules, { factors }) {
    const product = rules.numbers(2);
    const halves = factors.map(BigInt).flatMap((factor) => [BigInt.asIntN(64, factor), BigInt.asIntN(64, factor >> 64n)]);
    rules.exports.__multi3(product.address, ...halves);
    const [low, high] = rules.words(product.address, 2);
    return String((BigInt.asUintN(64, high) << 64n) | BigInt.asUintN(64, low));
  },

  playouts(rules, { options, seed, first, games, only_counts }) {
    const { description } = rules;
    const states = rules.records(2);
    rules.setOptions(states.address + description.record.size, options);
    const finals = rules.records(games);
    const rng = rules.numbers(description.generator_length);
    const moves = rules.numbers(description.row_length);
    const weights = rules.numbers(description.row_length);
    const counts = rules.numbers(2);
    const shares = rules.numbers(description.max_seats);
    const started = process.cpuUsage();
    const played = rules.call("playouts", states, finals, seed, first, games, rng, moves, weights, counts, shares);
    const { user, system } = process.cpuUsage(started);
    return {
      played: Number(played),
      counts: rules.read(counts, 2),
      shares: rules.read(shares, description.max_seats),
      finals: only_counts ? [] : Array.from({ length: games }, (_, i) => rules.record(finals, i)),
      seconds: (user + system) / 1e6,
    };
  },

  begin(rules, { options }) {
    const state = rules.records(1);
    rules.setOptions(state.address, options);
    rules.call("begin", state);
    return rules.record(state);
  },

  // questions about one position, one after the other: result, rows and the record after each
  operations(rules, { state, steps }) {
    const { single_position: position, generator_length } = rules.description;
    const states = rules.records(1);
    const rows = rules.rows(Object.keys(position.rows).length, position.row_length);
    const row = (name) => ({
      address: rows.address + 8 * position.row_length * position.rows[name],
      lengths: [position.row_length],
    });
    rules.setRecord(states, state);
    const calls = {
      list_moves: (seat) => rules.call("list_moves", states, seat, row("moves")),
      make_move: (seat, move) => rules.call("make_move", states, seat, move, row("moves")),
    };
    return steps.map(({ operation, seat, move, generator, read }) => {
      if (generator) rules.words(row("rng").address, generator_length).set(generator.map(BigInt));
      const run = () => rules.call("run_operation", states, rows, position.operations[operation], seat, move);
      const result = Number((calls[operation] ?? run)(seat, move));
      const written = read.map((name) => rules.read(row(name), name === "rng" ? generator_length : Math.max(result, 0)));
      return { result, written, record: rules.record(states) };
    });
  },

  scores(rules, { state, players }) {
    const { single_position: position } = rules.description;
    const states = rules.records(1);
    const rows = rules.rows(Object.keys(position.rows).length, position.row_length);
    rules.setRecord(states, state);
    rules.call("run_operation", states, rows, position.operations.scores, 0, 0);
    return rules.read(rows, players);
  },

  search(rules, { state, seat, legal, count, generator }) {
    const { search, record, move_count, bounds, max_seats } = rules.description;
    const states = rules.records(2);
    const words = { address: states.address, lengths: [2, record.size / 8] };
    rules.setRecord(states, state);
    const masks = rules.rows(max_seats, search.masks[0].length / 16);
    search.masks.forEach((mask, i) => {
      rules.bytes(masks.address + (i * mask.length) / 2, mask.length / 2).set(Buffer.from(mask, "hex"));
    });
    const given = { rng: generator, dials: Object.values(search.settings) };
    const room = Math.min(search.max_moved, search.edge_width * Math.max(1, count) * bounds.moves);
    const lengths = {
      ...search.lengths,
      nodes: search.node_width * 2 ** Math.ceil(Math.log2(2 * count + 2)),
      moved: room,
      wins: max_seats + legal,
    };
    const rowNames = rules.description.entry_points.search.parameters.slice(6).map(({ name }) => name);
    const rows = rowNames.map((name) => rules.numbers(lengths[name], given[name]));
    rules.call("search", states, words, masks, seat, count, move_count, ...rows);
    const read = (name, length) => rules.read(rows[rowNames.indexOf(name)], length);
    return { moved: read("moved", search.edge_width * legal), wins: read("wins", lengths.wins) };
  },

  solve(rules, { state, seat, count: simulations }) {
    const { lengths, notes_per_simulation } = rules.description.search;
    const record = rules.records(1);
    rules.setRecord(record, state);
    const [moves, out] = Object.values(lengths).map((length) => rules.numbers(length));
    const room = notes_per_simulation * simulations;
    const notes = rules.numbers(room, [room]);
    const count = Number(rules.call("solve_decision", record, seat, moves, out, notes));
    return { moves: rules.read(moves, count), out: rules.read(out, count + rules.description.max_seats) };
  },
};

const [codeFile, descriptionFile] = process.argv.slice(2);
const started = performance.now();
const module = new WebAssembly.Module(readFileSync(codeFile));
const compileMs = performance.now() - started;
const rules = new Rules(module, JSON.parse(readFileSync(descriptionFile)));
const results = JSON.parse(readFileSync(0)).map(({ job, ...parameters }) => {
  rules.releaseAll();
  return JOBS[job](rules, parameters);
});
const imports = WebAssembly.Module.imports(module).map(({ module, name }) => `${module}.${name}`);
const exports = WebAssembly.Module.exports(module).map(({ name }) => name);
process.stdout.write(JSON.stringify({ imports, exports, compile_ms: compileMs, results }));
