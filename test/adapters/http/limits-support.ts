/** A clock that stands still until it is moved. */
export function clock() {
  let ms = 1000
  return { now: () => ms, pass: (more: number) => (ms += more) }
}

export function times<Result>(count: number, act: (index: number) => Result): Result[] {
  return Array.from({ length: count }, (_, index) => act(index))
}
