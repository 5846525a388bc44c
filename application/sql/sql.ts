import { createSqlTag } from 'slonik'

/**
 * Writes SQL as typed templates: sql.type(rowReader)`select ... where id = ${id}`. Values always travel as parameters
 * (docs/decisions/0164-slonik.md).
 */
export const sql = createSqlTag()
