import { createHash } from 'node:crypto'

/** How a row becomes what a query gives. zod schemas are readers too: for rows that others wrote. */
export interface RowReader<Row> {
  parse(row: unknown): Row
}

/**
 * Reads rows that only this product writes, from columns as the driver gives them: int8 and numeric as decimal strings, timestamps
 * as ISO 8601 text. Nothing of them is checked again.
 */
export function rowOf<Columns, Row>(read: (columns: Columns) => Row): RowReader<Row> {
  return { parse: (row) => read(row as Columns) }
}

/** A statement with its values. `text` and `name` are made once for each place in the code that writes it. */
export interface Query<Row> {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
  readonly reader: RowReader<Row>
}

/** Typed queries. Snowflakes (int8) come as decimal strings, timestamps as ISO 8601 text. */
export interface Queries {
  /** Every row. */
  any<Row>(query: Query<Row>): Promise<readonly Row[]>
  /** The one row, or undefined where there is none. Rejects where there are several. */
  maybeOne<Row>(query: Query<Row>): Promise<Row | undefined>
  /** The one row. Rejects where there is none, or several. */
  one<Row>(query: Query<Row>): Promise<Row>
}

/** What may stand in a template: it travels as a parameter, unless it is a piece of SQL. */
export type SqlValue = Primitive | Piece
type Primitive = string | number | bigint | boolean | null

/** A piece of SQL: a fragment, a list of values, or bytes. */
export interface Piece {
  readonly shape: Shape
  readonly values: readonly unknown[]
}

/** The text of a piece, whatever its values are. There is one for each place in the code, and for each set of pieces in it. */
interface Shape {
  /** Text, and between two texts the place of a value. */
  readonly texts: readonly string[]
  /** The statement that the whole text makes, once it was run. */
  statement?: { readonly name: string; readonly text: string }
}

/** The types of lists that are given as one value. */
export type ListType = 'bytea' | 'float8' | 'int2' | 'int4' | 'int8' | 'text' | 'timestamptz' | 'uuid'

/**
 * Writes SQL as typed templates: sql.type(rowReader)`select ... where id = ${id}`. Values always travel as parameters
 * (docs/decisions/0061-what-requests-ask-postgres.md).
 */
export const sql = {
  /** A whole statement, whose rows are read by `reader`. */
  type:
    <Row>(reader: RowReader<Row>) =>
    (template: TemplateStringsArray, ...given: readonly SqlValue[]): Query<Row> => {
      const { shape, values } = piece(template, given)
      const { name, text } = (shape.statement ??= statementOf(shape))
      return { name, text, values, reader }
    },
  /** A piece of a statement. */
  fragment: (template: TemplateStringsArray, ...given: readonly SqlValue[]): Piece => piece(template, given),
  /** A list as one value. */
  array: (list: readonly (Primitive | Uint8Array)[], type: ListType): Piece => ({
    shape: listShapes[type],
    values: [list],
  }),
  /** Bytes. */
  binary: (bytes: Uint8Array): Piece => ({ shape: value, values: [bytes] }),
  /** Pieces, with `glue` between them. At least one. */
  join: ([first, ...others]: readonly Piece[], glue: Piece): Piece => {
    if (!first) throw new Error('There is nothing to join')
    return others.reduce((joined, next) => sql.fragment`${joined}${glue}${next}`, first)
  },
}

const value: Shape = { texts: ['', ''] }
const listShapes: Readonly<Record<ListType, Shape>> = {
  bytea: { texts: ['', '::bytea[]'] },
  float8: { texts: ['', '::float8[]'] },
  int2: { texts: ['', '::int2[]'] },
  int4: { texts: ['', '::int4[]'] },
  int8: { texts: ['', '::int8[]'] },
  text: { texts: ['', '::text[]'] },
  timestamptz: { texts: ['', '::timestamptz[]'] },
  uuid: { texts: ['', '::uuid[]'] },
}

/** The shapes that begin with some texts and pieces, and what they go on with. */
interface Branch {
  shape?: Shape
  readonly next: Map<Shape, Branch>
}

/** By template: a template is one object for each place in the code, so that nothing is compared letter by letter. */
const known = new WeakMap<TemplateStringsArray, Branch>()

function piece(template: TemplateStringsArray, given: readonly SqlValue[]): Piece {
  let branch = known.get(template)
  if (!branch) known.set(template, (branch = { next: new Map() }))
  const values: unknown[] = []
  for (const each of given) {
    if (isPiece(each)) {
      for (const inner of each.values) values.push(inner)
      branch = branchAfter(branch, each.shape)
    } else {
      values.push(each)
      branch = branchAfter(branch, value)
    }
  }
  return { shape: (branch.shape ??= shapeOf(template, given)), values }
}

function branchAfter({ next }: Branch, shape: Shape): Branch {
  const found = next.get(shape)
  if (found) return found
  const made: Branch = { next: new Map() }
  next.set(shape, made)
  return made
}

function isPiece(given: SqlValue): given is Piece {
  return typeof given === 'object' && given !== null
}

/** The texts of a template with those of its pieces in their places. */
function shapeOf(template: TemplateStringsArray, given: readonly SqlValue[]): Shape {
  const texts = [template[0] ?? '']
  given.forEach((each, index) => {
    const [first = '', ...others] = (isPiece(each) ? each.shape : value).texts
    texts.push(`${texts.pop() ?? ''}${first}`, ...others)
    texts.push(`${texts.pop() ?? ''}${template[index + 1] ?? ''}`)
  })
  return { texts }
}

/** A name follows from the text: between the product and Postgres, connections may be shared by several processes. */
function statementOf({ texts }: Shape): { readonly name: string; readonly text: string } {
  const [first = '', ...others] = texts
  const text = others.reduce((before, next, index) => `${before}$${index + 1}${next}`, first)
  return { name: `q${createHash('sha256').update(text).digest('hex').slice(0, 24)}`, text }
}
