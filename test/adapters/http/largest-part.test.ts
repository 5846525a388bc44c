import { describe, expect, it } from 'vitest'
import { largestPart } from '../../../adapters/http/request/input/largest-part.ts'
import { expectLinear } from '../../support/growth.ts'

const part = (value: unknown): string => {
  const text = JSON.stringify(value)
  return largestPart(text, text.length - 1)
}
const many = Array.from({ length: 50 }, () => 1)

describe('the largest part of a body', () => {
  it('is the innermost object or list that has most of its members', () => {
    expect(largestPart('{"a":{"b":[1,2,3,4,5,6,7,8', 26)).toBe('a.b')
    const open = (text: string): string => largestPart(text, text.length)
    expect(open(`{"a":[[1,2],[${many.join(',')}`)).toBe('a.1')
    expect(open(`{"a":[[${many.join(',')}],[${many.join(',')}`)).toBe('a')
    expect(open(`{"x":"}]{[,\\"","a":{"b":1,"c \\" ,":[${many.join(',')}`)).toBe('a.c " ,')
    expect(open(`{"a":[${many.join(',')}],"b":[1,2`)).toBe('body')
  })

  it('is the body where that has them itself, or where its names are too long to be told', () => {
    expect(part(Object.fromEntries(many.map((one, index) => [`k${index}`, one])))).toBe('body')
    expect(part(many)).toBe('body')
    expect(largestPart(`{"${'x'.repeat(300)}":[${many.join(',')}`, 500)).toBe('body')
  })

  it('is found in a time that grows as the body does', () => {
    expectLinear((text) => largestPart(text, text.length), `{"a":[${'{"b":"\\\\\\"","c":[1,{}]},'.repeat(40_000)}`)
  })
})
