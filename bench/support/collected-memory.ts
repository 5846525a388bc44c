import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { z } from 'zod'

export const memory = z.object({ rss_bytes: z.number(), heap_bytes: z.number() })
export type Memory = z.output<typeof memory>

const collections = 4

/** The memory of this process after its garbage was collected. */
export function collectedMemory(): Memory {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let count = 0; count < collections; count += 1) collect()
  const { rss: rss_bytes, heapUsed: heap_bytes } = process.memoryUsage()
  return { rss_bytes, heap_bytes }
}
