import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parse } from '../../../adapters/http/request/input/input.ts'
import { parseJson } from '../../../adapters/http/request/input/parse-json.ts'
import { withWholeIntegers } from '../../../adapters/http/request/input/whole-integers.ts'
import { permissionMaskInput } from '../../../adapters/http/schemas/communities/masks.ts'
import { snowflakeInput, withDefault } from '../../../adapters/http/schemas/scalars.ts'
import { definedPermissions } from '../../../domain/permissions/permission-bits.ts'
import { expectLinear } from '../../support/growth.ts'

const body = z.object({
  id: snowflakeInput.nullable().optional(),
  mask: withDefault(permissionMaskInput, 0n),
  ids: z.array(snowflakeInput).max(1000).optional(),
  table: z.record(z.string(), snowflakeInput).optional(),
  nested: z.object({ id: snowflakeInput, count: z.number() }).optional(),
  count: z.number().optional(),
})

/** What the schema reads from a text, as it would from a request. */
function read(text: string) {
  const given = parseJson(Buffer.from(text))
  if (!given.ok) return given.fault
  const { value, longIntegersAsTexts: texts } = given
  const { value: kept, faults } = parse(body, texts === undefined ? value : withWholeIntegers(body, value, texts), true)
  return faults.length > 0 ? faults : kept
}

describe('an integer of a body, where a decimal text or an integer stands,', () => {
  it('keeps all of its digits, wherever it is', () => {
    const id = '1511111111111111111'
    expect(read(`{"id":${id},"mask": 36028797018963967 ,"ids":[1,${id},"2"],"table":{"a":${id}}}`)).toEqual({
      id,
      mask: 36028797018963967n & definedPermissions,
      ids: ['1', id, '2'],
      table: { a: id },
    })
    expect(read(`{"nested":{"id":${id},"count":${id}}}`)).toMatchObject({ nested: { id, count: Number(id) } })
  })

  it('reads as its text does, whatever integer it is', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), (integer) => {
        for (const member of ['id', 'mask'])
          expect(read(`{"${member}":${integer}}`)).toEqual(read(`{"${member}":"${integer}"}`))
      }),
    )
  })

  it.each([
    ['beyond 2^63', 'id', '9223372036854775808', 'SNOWFLAKE_OUT_OF_RANGE'],
    ['far beyond it', 'id', '1'.repeat(400), 'SNOWFLAKE_OUT_OF_RANGE'],
    ['below 0', 'id', '-1511111111111111111', 'INVALID_SNOWFLAKE_FORMAT'],
    ['a fraction', 'id', '1511111111111111111.5', 'INVALID_FORMAT'],
    ['a long fraction', 'id', '0.1511111111111111111', 'INVALID_FORMAT'],
    ['with an exponent', 'id', '1511111111111111111e0', 'INVALID_FORMAT'],
    ['with a long exponent', 'id', '1e1511111111111111111', 'INVALID_FORMAT'],
    ['beyond 2^63', 'mask', '9223372036854775808', 'INTEGER_OUT_OF_INT64_RANGE'],
    ['below 0', 'mask', '-36028797018963967', 'INVALID_INTEGER_FORMAT'],
    ['a fraction', 'mask', '36028797018963967.5', 'INVALID_INTEGER_FORMAT'],
    ['with an exponent', 'mask', '3.6e16', 'INVALID_INTEGER_FORMAT'],
  ])('is refused %s: %s %s', (_, member, number, code) => {
    expect(read(`{"${member}":${number}}`)).toMatchObject([{ path: member, code }])
  })

  it('is what it was where its value is a smaller integer', () => {
    expect(read('{"id":1.0}')).toMatchObject({ id: '1' })
    expect(read('{"id":15e2}')).toMatchObject({ id: '1500' })
    expect(read('{"id":-0}')).toMatchObject({ id: '0' })
  })
})

describe('every other number', () => {
  it('stays the number that it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify({ count: 0.5, other: value })
        expect(read(`${text.slice(0, -1)},"id":1511111111111111111}`)).toMatchObject({ count: 0.5 })
        const given = parseJson(Buffer.from(text))
        expect(given).toMatchObject({ ok: true, value: JSON.parse(text) })
      }),
    )
    expect(read('{"count":1511111111111111111}')).toMatchObject({ count: 1511111111111111200 })
  })

  it('keeps a text of digits a text, also one with quotes in it', () => {
    const text = '{"count":1,"table":{"\\"1511111111111111111":1511111111111111111}}'
    expect(read(text)).toMatchObject({ table: { '"1511111111111111111': '1511111111111111111' } })
  })
})

describe('what is no JSON', () => {
  it.each([
    '{"id":01511111111111111111}',
    '{"id":1511111111111111111',
    '{"id":1511111111111111111 1}',
    '{"id":+1511111111111111111}',
    '{"id":1511111111111111111.}',
    '{"id":--1511111111111111111}',
    '{"id":.1511111111111111111}',
    '{1511111111111111111:1}',
    '{"id":15111-11111111111111}',
    '{"id":"1511111111111111111}',
  ])('is refused with long integers too: %s', (text) => {
    expect(read(text)).toMatchObject({ path: 'body', code: 'INVALID_FORMAT' })
  })

  it('changes no prototype by a name, beside a long integer too', () => {
    const text =
      '{"__proto__":{"id":1511111111111111111},"table":{"__proto__":1511111111111111111,"a":1511111111111111111}}'
    const kept = read(text)
    expect(kept).toMatchObject({ table: { a: '1511111111111111111' } })
    expect(kept).not.toHaveProperty('id')
  })
})

describe('reading long integers', () => {
  it.each([
    ['many', (index: number) => `${index}${'1'.repeat(18)}`],
    ['long', () => '1'.repeat(1000)],
    ['broken', () => '1-1.1e1'.repeat(100)],
  ])('takes a time that grows as the text does: %s', (_, item) => {
    const items = Array.from({ length: 40_000 }, (_none, index) => item(index))
      .join(',')
      .slice(0, 1_000_000)
    expectLinear((text) => parseJson(Buffer.from(`{"ids":[${text}1]}`)), items)
  })
})
