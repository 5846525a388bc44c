import { Unavailable } from './unavailable.ts'

/** The read models did not reach the requested position in time. What was written stays written. */
export class ReadModelsBehind extends Unavailable {
  override readonly name = 'ReadModelsBehind'
  override readonly part = 'read models'
}
