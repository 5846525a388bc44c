import fc from 'fast-check'
import { secondsAfter } from '../kernel/timestamp.ts'
import { accounts, start } from './people.ts'

/** The generators that commands of histories are drawn with. */

export const oneOf = fc.constantFrom

/** Records as object literals create them: half of fast-check's own have no prototype. */
export function record<Shape>(shape: { [Key in keyof Shape]: fc.Arbitrary<Shape[Key]> }): fc.Arbitrary<Shape> {
  return fc.record(shape, { noNullPrototype: true })
}

export const anybody = oneOf(...accounts)
/** Within half an hour, so that times reach and pass the ends of bans and invites. */
export const instants = fc.integer({ min: 0, max: 30 }).map((minutes) => secondsAfter(start, minutes * 60))
