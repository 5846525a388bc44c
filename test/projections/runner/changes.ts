import fc from 'fast-check'
import type { Row, RowChange } from '../../../projections/runner/projection.ts'

/** A table with every kind of column, and changes to a few of its rows, so that several changes meet in one row. */
export const key = ['place', 'number'] as const

export const columns = ['place', 'number', 'colour', 'total', 'flag', 'ids', 'tags', 'body'] as const

export const defaults: Row = { colour: null, total: 0, flag: false, ids: [], tags: ['new'], body: null }

export const createTable = `
  create table things (
    place   int8     not null,
    number  int4     not null,
    colour  text,
    total   int4     default 0,
    flag    boolean  not null default false,
    ids     int8[]   not null default '{}',
    tags    text[]   not null default '{new}',
    body    jsonb,
    primary key (place, number)
  )`

const places = fc.constantFrom('9007199254740993', '2')
const numbers = fc.constantFrom(1, 2, 3)
const colours = fc.constantFrom('red', 'blue "quoted" \\ and {braced}', '')
const keys = fc.record({ place: places, number: numbers }, { noNullPrototype: true })

const values = {
  colour: fc.option(colours),
  total: fc.option(fc.integer({ min: -3, max: 3 })),
  flag: fc.boolean(),
  ids: fc.array(fc.constantFrom('1', '9007199254740993'), { maxLength: 3 }),
  tags: fc.array(fc.constantFrom('a', 'b,c', 'NULL', '"', '\\', ''), { maxLength: 3 }),
  body: fc.option(fc.constantFrom({ name: 'x' }, { list: [1, null, 'y'] }, ['a', { b: 1 }], 'text')),
}

const someColumns = fc.record(values, { requiredKeys: [], noNullPrototype: true })
const amounts = fc.record({ total: fc.integer({ min: -2, max: 2 }) }, { noNullPrototype: true })
const wheres = fc.oneof(
  fc.record({ place: places }, { noNullPrototype: true }),
  fc.record({ colour: colours }, { noNullPrototype: true }),
  fc.record({ colour: colours, place: places }, { noNullPrototype: true }),
  fc.record({ number: numbers }, { noNullPrototype: true }),
  fc.record({ total: fc.integer({ min: -2, max: 2 }) }, { noNullPrototype: true }),
  fc.record({ flag: fc.boolean() }, { noNullPrototype: true }),
)

const table = 'things'

export const changes: fc.Arbitrary<RowChange> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(keys, someColumns)
      .map(([own, row]): RowChange => ({ change: 'put', table, row: { ...own, ...row } })),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(keys, someColumns)
      .map(([own, row]): RowChange => ({ change: 'patch', table, key: own, columns: row })),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(keys, amounts).map(([own, by]): RowChange => ({ change: 'add', table, key: own, amounts: by })),
  },
  { weight: 2, arbitrary: keys.map((own): RowChange => ({ change: 'remove', table, key: own })) },
  { weight: 2, arbitrary: wheres.map((row): RowChange => ({ change: 'removeWhere', table, columns: row })) },
)
