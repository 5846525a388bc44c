/** Runs tasks of one key one after another, and tasks of different keys in parallel. */
export interface KeyedQueue {
  run<Result>(key: string, task: () => Promise<Result>): Promise<Result>
}

/** Makes an empty queue. It holds a key only while its tasks run or wait. */
export function keyedQueue(): KeyedQueue {
  const tails = new Map<string, Promise<unknown>>()
  return {
    run(key, task) {
      const before = tails.get(key) ?? Promise.resolve()
      const result = before.then(task, task)
      const tail = result.then(ignore, ignore).then(() => {
        if (tails.get(key) === tail) tails.delete(key)
      })
      tails.set(key, tail)
      return result
    },
  }
}

const ignore = (): void => undefined
