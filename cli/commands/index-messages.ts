import { indexAll } from '../../adapters/messages/index-words.ts'
import { progressBar } from '../progress-bar.ts'
import { interruptible } from '../interruptible.ts'
import { besideServer } from './beside.ts'

/**
 * Computes the index of words of all messages anew, beside a server that may be running. Its progress goes to standard error. Searches
 * go on meanwhile with what the index has. Ctrl+C ends it between two steps; what is done stays.
 */
export async function indexMessages(print: (line: string) => void): Promise<void> {
  const began = performance.now()
  const count = await interruptible((signal) =>
    besideServer(({ database }) => {
      const bar = progressBar('indexing messages')
      return indexAll(database, (done_count, all_count) => {
        signal.throwIfAborted()
        bar.show(done_count / Math.max(all_count, 1), `message ${done_count} of ${all_count}`)
      }).finally(() => bar.end())
    }),
  )
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  print(`The words of ${count} messages were computed anew, in ${seconds} s.`)
}
