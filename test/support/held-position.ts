import { sql } from '../../application/sql/sql.ts'
import { held } from '../contract/messages-fixtures.ts'

/** What the read models hold, for stores of messages without any. */
export const heldPosition = sql.fragment`${held.toString()}::int8`
