import { asError } from '../../concurrency/as-error.ts'
import { Unavailable } from '../../failures/unavailable.ts'

/**
 * Does something for each item, whatever becomes of the others, and gives the failures. Rejects where nothing can be done for any of
 * them: something is out, or the work was aborted.
 */
export async function eachByItself<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<void>,
): Promise<readonly Error[]> {
  const failures: Error[] = []
  for (const item of items) {
    try {
      await act(item)
    } catch (error) {
      const failure = asError(error)
      if (failure instanceof Unavailable || failure.name === 'AbortError') throw error
      failures.push(failure)
    }
  }
  return failures
}

/** For the log of whoever asked for the work. */
export function throwAll(failures: readonly Error[]): void {
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} copies of published messages failed`)
}
