import { describe, expect, it } from 'vitest'
import { rowOf, sql, type Piece } from '../../application/ports/database.js'

const anything = rowOf((row: unknown) => row)
const { array, binary, fragment, join } = sql

describe('a statement', () => {
  it('has its values as parameters, in their order', () => {
    const { text, values } = sql.type(anything)`select ${1}, ${'two'} where ${null} is ${true}`
    expect(text).toBe('select $1, $2 where $3 is $4')
    expect(values).toEqual([1, 'two', null, true])
  })
  it('includes pieces, and pieces within them, with their values in their places', () => {
    const inner = fragment`b = ${'b'}`
    const outer = fragment`a = ${'a'} and (${inner} or ${inner})`
    const { text, values } = sql.type(anything)`select ${0} where ${outer} limit ${9}`
    expect(text).toBe('select $1 where a = $2 and (b = $3 or b = $4) limit $5')
    expect(values).toEqual([0, 'a', 'b', 'b', 9])
  })
  it('passes lists as one value of their type, and bytes as they are', () => {
    const { text, values } = sql.type(anything)`select ${array(['1', '2'], 'int8')}, ${binary(Buffer.from('x'))}`
    expect(text).toBe('select $1::int8[], $2')
    expect(values).toEqual([['1', '2'], Buffer.from('x')])
  })
  it('joins pieces, of which there must be one', () => {
    const conditions = [fragment`a = ${1}`, fragment`b`, fragment`c = ${3}`]
    const { text, values } = sql.type(anything)`where ${join(conditions, fragment` and `)}`
    expect(text).toBe('where a = $1 and b and c = $2')
    expect(values).toEqual([1, 3])
    expect(() => join([], fragment` and `)).toThrow('at least one piece')
  })
  it('never lets a value become SQL, whatever it contains', () => {
    const { text, values } = sql.type(anything)`select ${"'; drop table x; --"}, ${'$1'}`
    expect(text).toBe('select $1, $2')
    expect(values).toEqual(["'; drop table x; --", '$1'])
  })
})

describe('the text of a statement', () => {
  const ofPlace = (id: number, piece: Piece) => sql.type(anything)`select ${id} where ${piece}`
  const equal = (id: number): Piece => fragment`id = ${id}`
  const above = (id: number): Piece => fragment`id > ${id}`

  it('is created once for each place in the code and its pieces, so that its name is the same each time', () => {
    const first = ofPlace(1, equal(2))
    const again = ofPlace(3, equal(4))
    expect(again.name).toBe(first.name)
    expect(again.text).toBe(first.text)
    expect(again.values).toEqual([3, 4])
  })
  it('is another one with other pieces, and has another name', () => {
    const one = ofPlace(1, equal(2))
    const other = ofPlace(1, above(2))
    expect(other.text).toBe('select $1 where id > $2')
    expect(other.name).not.toBe(one.name)
    expect(ofPlace(1, equal(2)).text).toBe('select $1 where id = $2')
  })
  it('has the same name at every place with the same text', () => {
    expect(sql.type(anything)`select ${1}`.name).toBe(sql.type(anything)`select ${2}`.name)
  })
})
