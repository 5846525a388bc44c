import { createHash } from 'node:crypto'

/** Turns a row into the result of a query. zod schemas are readers too, for rows that others wrote. */
export interface RowReader<Row> {
  parse(row: unknown): Row
}

/**
 * Reads rows that only this product writes. The driver gives int8 and numeric as decimal strings, timestamps as ISO 8601 text.
 * The rows are not validated again.
 */
export function rowOf<Columns, Row>(read: (columns: Columns) => Row): RowReader<Row> {
  return { parse: (row) => read(row as Columns) }
}

/**
 * A statement with its values. `text` and `name` are built once for each place in the code. A statement with an empty name is not
 * kept by Postgres.
 */
export interface Query<Row> {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
  readonly reader: RowReader<Row>
  /** Whether it may wait for others, and be waited for. */
  readonly isLookup?: boolean
}

/** Typed queries. Snowflakes (int8) come as decimal strings, timestamps as ISO 8601 text. */
export interface Queries {
  /** All rows. */
  any<Row>(query: Query<Row>): Promise<readonly Row[]>
  /** The single row; undefined if there is none. Rejects if there are several. */
  maybeOne<Row>(query: Query<Row>): Promise<Row | undefined>
  /** The single row. Rejects if there are none or several. */
  one<Row>(query: Query<Row>): Promise<Row>
}

/** What a template accepts. Values travel as parameters, except pieces of SQL. */
export type SqlValue = Primitive | Piece
type Primitive = string | number | bigint | boolean | null

/** A piece of SQL: a fragment, a list of values, or bytes. */
export interface Piece {
  readonly shape: Shape
  readonly values: readonly unknown[]
}

/** The text of a piece without its values. There is one shape for each place in the code and each combination of pieces in it. */
interface Shape {
  /** The texts before, between and after the values. */
  readonly texts: readonly string[]
  /** The statement of the whole text, once it has run. */
  statement?: { readonly name: string; readonly text: string }
}

/** The element types of lists passed as one value. */
export type ListType = 'bytea' | 'float8' | 'int2' | 'int4' | 'int8' | 'text' | 'timestamptz' | 'uuid'

/**
 * Writes SQL as typed templates: sql.type(rowReader)`select ... where id = ${id}`. Values always travel as parameters
 * (docs/decisions/0061-what-requests-ask-postgres.md).
 */
export const sql = {
  /** A whole statement. `reader` reads its rows. */
  type: <Row>(reader: RowReader<Row>) => statement(reader, false),
  /**
   * The same for a read that is over at once, since it finds a few rows by keys of an index and waits for no lock. Those of several
   * requests share a connection, so that a slow one would hold up others.
   */
  lookup: <Row>(reader: RowReader<Row>) => statement(reader, true),
  /** A piece of a statement. */
  fragment: (template: TemplateStringsArray, ...given: readonly SqlValue[]): Piece => piece(template, given),
  /** A list passed as one value. */
  array: (list: readonly (Primitive | Uint8Array)[], type: ListType): Piece => ({
    shape: listShapes[type],
    values: [list],
  }),
  binary: (bytes: Uint8Array): Piece => ({ shape: value, values: [bytes] }),
  /** Pieces joined by `glue`. At least one. */
  join: ([first, ...others]: readonly Piece[], glue: Piece): Piece => {
    if (!first) throw new Error('sql.join needs at least one piece')
    return others.reduce((joined, next) => sql.fragment`${joined}${glue}${next}`, first)
  },
}

/**
 * The same statement without a name: Postgres plans it for its values, each time it runs. For one whose best plan depends on a
 * value, as a pattern's does.
 */
export function plannedForItsValues<Row>(query: Query<Row>): Query<Row> {
  return { ...query, name: '' }
}

function statement<Row>(reader: RowReader<Row>, isLookup: boolean) {
  return (template: TemplateStringsArray, ...given: readonly SqlValue[]): Query<Row> => {
    const { shape, values } = piece(template, given)
    const { name, text } = (shape.statement ??= statementOf(shape))
    return { name, text, values, reader, isLookup }
  }
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

/** The shapes that begin with the same texts and pieces, and the branches that continue them. */
interface Branch {
  shape?: Shape
  readonly next: Map<Shape, Branch>
}

/** Keyed by template: each place in the code has its own template object, so no text is compared. */
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

/** The texts of a template with the texts of its pieces filled in. */
function shapeOf(template: TemplateStringsArray, given: readonly SqlValue[]): Shape {
  const texts = [template[0] ?? '']
  given.forEach((each, index) => {
    const [first = '', ...others] = (isPiece(each) ? each.shape : value).texts
    texts.push(`${texts.pop() ?? ''}${first}`, ...others)
    texts.push(`${texts.pop() ?? ''}${template[index + 1] ?? ''}`)
  })
  return { texts }
}

/** The name derives from the text, because a pooler between the product and Postgres may share connections among processes. */
function statementOf({ texts }: Shape): { readonly name: string; readonly text: string } {
  const [first = '', ...others] = texts
  const text = others.reduce((before, next, index) => `${before}$${index + 1}${next}`, first)
  return { name: `q${createHash('sha256').update(text).digest('hex').slice(0, 24)}`, text }
}
