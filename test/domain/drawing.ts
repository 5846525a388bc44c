import fc from 'fast-check'
import { secondsAfter } from '../../domain/kernel/timestamp.js'
import { accounts, start } from './people.js'

/** What the commands of histories are drawn with. */

export const oneOf = fc.constantFrom

/** Records as object literals make them: fast-check's own have no prototype half of the time. */
export function record<Shape>(shape: { [Key in keyof Shape]: fc.Arbitrary<Shape[Key]> }): fc.Arbitrary<Shape> {
  return fc.record(shape, { noNullPrototype: true })
}

export const anybody = oneOf(...accounts)
/** Within half an hour, so that times meet and pass the ends of bans and invites. */
export const instants = fc.integer({ min: 0, max: 30 }).map((minutes) => secondsAfter(start, minutes * 60))
