interface Node<Item> {
  item: Item
  readonly priority: number
  /** How many items are in it and below it. */
  size: number
  left: Node<Item> | undefined
  right: Node<Item> | undefined
}

/**
 * Items in an order, each with its rank: how many come before it. A treap whose nodes know their sizes: to add, to delete, to find
 * a rank and to find what is at one takes steps that grow with the logarithm of the size. An item keeps what it is ordered by for
 * as long as it is in the set.
 */
export class OrderedSet<Item> {
  readonly #compare: (one: Item, other: Item) => number
  #root: Node<Item> | undefined
  #random = 0x9e37_79b9

  /** `compare` is negative if one comes before the other, and 0 only for the same item. */
  constructor(compare: (one: Item, other: Item) => number) {
    this.#compare = compare
  }

  get size(): number {
    return sizeOf(this.#root)
  }

  /** False if it is there already. */
  add(item: Item): boolean {
    const before = this.size
    this.#root = this.#added(this.#root, item)
    return this.size > before
  }

  /** False if it is not there. */
  delete(item: Item): boolean {
    const before = this.size
    this.#root = this.#deleted(this.#root, item)
    return this.size < before
  }

  /** How many come before an item, which need not be in the set. */
  rankOf(item: Item): number {
    let rank = 0
    for (let node = this.#root; node;) {
      const order = this.#compare(item, node.item)
      if (order === 0) return rank + sizeOf(node.left)
      if (order > 0) rank += sizeOf(node.left) + 1
      node = order < 0 ? node.left : node.right
    }
    return rank
  }

  /** The items from one rank up to another, which is not included. */
  slice(from: number, to: number): readonly Item[] {
    const items: Item[] = []
    collect(this.#root, from, to, items)
    return items
  }

  #added(node: Node<Item> | undefined, item: Item): Node<Item> {
    if (!node) return { item, priority: this.#nextPriority(), size: 1, left: undefined, right: undefined }
    const order = this.#compare(item, node.item)
    if (order === 0) return node
    if (order < 0) {
      const left = this.#added(node.left, item)
      node.left = left
      if (left.priority > node.priority) return turnedRight(node, left)
    } else {
      const right = this.#added(node.right, item)
      node.right = right
      if (right.priority > node.priority) return turnedLeft(node, right)
    }
    return counted(node)
  }

  #deleted(node: Node<Item> | undefined, item: Item): Node<Item> | undefined {
    if (!node) return undefined
    const order = this.#compare(item, node.item)
    if (order === 0) return joined(node.left, node.right)
    if (order < 0) node.left = this.#deleted(node.left, item)
    else node.right = this.#deleted(node.right, item)
    return counted(node)
  }

  /** Xorshift: the shape of the tree depends on nothing that a client chooses. */
  #nextPriority(): number {
    let random = this.#random
    random ^= random << 13
    random ^= random >>> 17
    random ^= random << 5
    this.#random = random
    return random
  }
}

function sizeOf(node: Node<unknown> | undefined): number {
  return node ? node.size : 0
}

function counted<Item>(node: Node<Item>): Node<Item> {
  node.size = sizeOf(node.left) + sizeOf(node.right) + 1
  return node
}

/** Its left child takes the place of a node. */
function turnedRight<Item>(node: Node<Item>, left: Node<Item>): Node<Item> {
  node.left = left.right
  left.right = counted(node)
  return counted(left)
}

function turnedLeft<Item>(node: Node<Item>, right: Node<Item>): Node<Item> {
  node.right = right.left
  right.left = counted(node)
  return counted(right)
}

/** One tree of two, of which all of the first comes before all of the second. */
function joined<Item>(first: Node<Item> | undefined, second: Node<Item> | undefined): Node<Item> | undefined {
  if (!first || !second) return first ?? second
  if (first.priority > second.priority) {
    first.right = joined(first.right, second)
    return counted(first)
  }
  second.left = joined(first, second.left)
  return counted(second)
}

function collect<Item>(node: Node<Item> | undefined, from: number, to: number, items: Item[]): void {
  if (!node || from >= node.size || to <= 0) return
  const rank = sizeOf(node.left)
  collect(node.left, from, to, items)
  if (from <= rank && rank < to) items.push(node.item)
  collect(node.right, from - rank - 1, to - rank - 1, items)
}
