/** A worker that dies when it comes to a step of its calls, each of which is two steps: before it and after it. */
export function mortal(step: number) {
  const dying = new AbortController()
  let steps = 0
  const dieAt = (): void => {
    steps += 1
    if (steps === step) dying.abort(new Error('killed'))
    dying.signal.throwIfAborted()
  }
  const of =
    <Args extends readonly unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      dieAt()
      const result = await call(...args)
      dieAt()
      return result
    }
  return { of, signal: dying.signal, steps: () => steps }
}

/** A step that no worker comes to. */
export const never = 1_000_000
