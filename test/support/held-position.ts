import { sql } from '../../application/ports/database.js'
import { held } from '../contract/messages-fixtures.js'

/** What the read models hold, for stores of messages without any. */
export const heldPosition = sql.fragment`${held.toString()}::int8`
