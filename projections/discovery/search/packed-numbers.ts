/** Runs of numbers, one after another in one array. */
export interface PackedNumbers {
  /** Adds a run at the end. Gives the place of its first number. */
  add(run: ArrayLike<number>): number
  /** How many it holds. */
  count(): number
  /** The numbers from one place to before another. */
  run(from: number, to: number): ArrayLike<number>
  /** The first place of a number from one place to before another; -1 if it is not there. */
  placeOf(number: number, from: number, to: number): number
}

const first_count = 1024

/** Makes an empty one. It takes 8 bytes a number, and as much again at most to grow. */
export function packedNumbers(): PackedNumbers {
  let numbers = new Float64Array(first_count)
  let used = 0

  return {
    add(run) {
      const from = used
      used += run.length
      if (used > numbers.length) {
        const larger = new Float64Array(Math.max(used, numbers.length * 2))
        larger.set(numbers)
        numbers = larger
      }
      numbers.set(run, from)
      return from
    },
    count: () => used,
    run: (from, to) => numbers.subarray(from, to),
    placeOf(number, from, to) {
      for (let place = from; place < to; place += 1) if (numbers[place] === number) return place
      return -1
    },
  }
}
