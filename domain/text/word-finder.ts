/** Finds which of many words a text contains. */
export interface WordFinder<Mark> {
  /** The marks of the words in the text, without repeats, in no order; if there are more, about `found_max` of them. */
  find(text: string): readonly Mark[]
  /** Passes every position of every word, `[start, end)`, to the visitor until it returns false. */
  visit(text: string, visitor: (mark: Mark, start: number, end: number) => boolean): void
}

export interface MarkedWord<Mark> {
  /** At least one character. Each word may be given once only. */
  readonly word: string
  readonly mark: Mark
}

/** How many marks to look for in one text. */
export const found_max = 100

const root = 0
const nowhere = -1
/** The letter for characters that are in no word. */
const foreign = 0

/**
 * One machine for all words (Aho and Corasick, 1975). It reads a text once, from start to end, however many words there are and
 * whatever they have in common. Characters are UTF-16 code units in words and text.
 */
export function wordFinder<Mark>(words: readonly MarkedWord<Mark>[]): WordFinder<Mark> {
  const machine = withFallbacks(trieOf(words.map(({ word }) => word)))
  return {
    find: (text) => {
      const found = new Set<number>()
      for (const [longest] of endsIn(machine, text)) {
        // If a word was found before, so were the shorter words that it ends with.
        for (let end = longest; end !== root && !found.has(end); end = machine.shorter[end] ?? root) found.add(end)
        if (found.size >= found_max) break
      }
      return [...found].flatMap((end) => words[machine.words[end] ?? nowhere]?.mark ?? [])
    },
    visit: (text, visitor) => {
      for (const [longest, to] of endsIn(machine, text))
        for (let end = longest; end !== root; end = machine.shorter[end] ?? root) {
          const found = words[machine.words[end] ?? nowhere]
          if (found && !visitor(found.mark, to - found.word.length, to)) return
        }
    },
  }
}

/** For each position of a text where words end, the state of the longest one, and the position. */
function* endsIn(machine: Machine, text: string): Generator<readonly [state: number, to: number]> {
  let state = root
  for (let at = 0; at < text.length; at += 1) {
    state = step(machine, state, machine.letters[text.charCodeAt(at)] ?? foreign)
    const longest = machine.ends[state] ?? root
    if (longest !== root) yield [longest, at + 1]
  }
}

/** States by number. Each stands for a prefix of a word; the root is the empty prefix. */
interface Trie {
  /** The letter of each character. Only characters in words have one, so there are few letters. */
  readonly letters: Uint32Array
  readonly letters_count: number
  readonly states_count: number
  readonly parents: Int32Array
  /** The letter that leads to a state from its parent. */
  readonly arrivals: Int32Array
  /** A state's first letter and where it leads; most states have no other. */
  readonly firstLetters: Int32Array
  readonly firstStates: Int32Array
  /** Where all other letters lead, by state and letter. */
  readonly others: Map<number, number>
  /** The word that ends in a state. */
  readonly words: Int32Array
}

interface Machine extends Trie {
  /** For each state, the longest proper suffix that is also a prefix of a word. */
  readonly fallbacks: Int32Array
  /** For each state, the longest word that it ends with. */
  readonly ends: Int32Array
  /** The same without the state itself. */
  readonly shorter: Int32Array
}

function trieOf(words: readonly string[]): Trie {
  const states_max = 1 + words.reduce((sum, { length }) => sum + length, 0)
  const trie = { ...lettersOf(words), ...emptyStates(states_max) }
  let states_count = 1
  for (const [index, word] of words.entries()) {
    let state = root
    for (let at = 0; at < word.length; at += 1) {
      const letter = trie.letters[word.charCodeAt(at)] ?? foreign
      const known = childOf(trie, state, letter)
      if (known === nowhere) grow(trie, state, letter, states_count++)
      state = known === nowhere ? states_count - 1 : known
    }
    trie.words[state] = index
  }
  return { ...trie, states_count }
}

function emptyStates(states_max: number) {
  return {
    parents: new Int32Array(states_max),
    arrivals: new Int32Array(states_max),
    firstLetters: new Int32Array(states_max),
    firstStates: new Int32Array(states_max),
    others: new Map<number, number>(),
    words: new Int32Array(states_max).fill(nowhere),
  }
}

function lettersOf(words: readonly string[]): Pick<Trie, 'letters' | 'letters_count'> {
  const letters = new Uint32Array(65_536)
  let letters_count = 1
  for (const word of words)
    for (let at = 0; at < word.length; at += 1)
      if (letters[word.charCodeAt(at)] === foreign) letters[word.charCodeAt(at)] = letters_count++
  return { letters, letters_count }
}

type Branches = Pick<Trie, 'firstLetters' | 'firstStates' | 'others' | 'letters_count'>

function childOf(trie: Branches, state: number, letter: number): number {
  if (trie.firstLetters[state] === letter) return trie.firstStates[state] ?? nowhere
  return trie.others.get(state * trie.letters_count + letter) ?? nowhere
}

function grow(trie: Omit<Trie, 'states_count'>, state: number, letter: number, child: number): void {
  trie.parents[child] = state
  trie.arrivals[child] = letter
  if (trie.firstLetters[state] !== foreign) return void trie.others.set(state * trie.letters_count + letter, child)
  trie.firstLetters[state] = letter
  trie.firstStates[state] = child
}

/** Steps from a state by a letter, falling back to shorter prefixes until one continues with it. */
function step(machine: Branches & Pick<Machine, 'fallbacks'>, from: number, letter: number): number {
  if (letter === foreign) return root
  let state = from
  for (;;) {
    const child = childOf(machine, state, letter)
    if (child !== nowhere) return child
    if (state === root) return root
    state = machine.fallbacks[state] ?? root
  }
}

/** Works from the root outward: a state falls back to one nearer to the root. */
function withFallbacks(trie: Trie): Machine {
  const { states_count: count, parents, arrivals, words } = trie
  const machine = {
    ...trie,
    fallbacks: new Int32Array(count),
    ends: new Int32Array(count),
    shorter: new Int32Array(count),
  }
  for (const state of byDepth(trie)) {
    const parent = parents[state] ?? root
    const fallback =
      parent === root ? root : step(machine, machine.fallbacks[parent] ?? root, arrivals[state] ?? foreign)
    machine.fallbacks[state] = fallback
    machine.shorter[state] = machine.ends[fallback] ?? root
    machine.ends[state] = words[state] === nowhere ? (machine.ends[fallback] ?? root) : state
  }
  return machine
}

/** All states except the root, nearer ones first. A state has a higher number than its parent. */
function byDepth({ states_count: count, parents }: Trie): Uint32Array {
  const depths = new Uint32Array(count)
  for (let state = 1; state < count; state += 1) depths[state] = (depths[parents[state] ?? root] ?? 0) + 1
  return Uint32Array.from({ length: count - 1 }, (_, index) => index + 1).sort(
    (a, b) => (depths[a] ?? 0) - (depths[b] ?? 0),
  )
}
