import { reads_max } from '../history/streams-of-guild.ts'

/** What each of many things comes to, in their order; as many at once as a store reads at once. */
export async function inGroups<Thing, Result>(
  things: readonly Thing[],
  act: (thing: Thing) => Promise<readonly Result[]>,
): Promise<readonly Result[]> {
  const found: Result[] = []
  for (let first = 0; first < things.length; first += reads_max) {
    // oxlint-disable-next-line no-await-in-loop -- Groups one after another bound what happens at once.
    const results = await Promise.all(things.slice(first, first + reads_max).map(act))
    found.push(...results.flat())
  }
  return found
}
