import { describe, expect, it } from 'vitest'
import { field } from '../../../domain/kernel/refusal.ts'
import { bodyOf, expectFields } from '../support/answers.ts'
import { openServer } from '../support/scene.ts'

const guildhall = await openServer()

const post = (path: string, body: unknown) => guildhall.request('POST', `/v1/auth/${path}`, { body })

describe('Suggest usernames', () => {
  const suggestions = async (global_name: unknown) =>
    bodyOf(await post('username-suggestions', { global_name }))['suggestions']

  it('suggests one derived from the display name, whether or not it is free', async () => {
    await guildhall.register('Ada_Lovelace')
    expect(await suggestions('Ådä  Lovelace')).toStrictEqual(['Ada_Lovelace'])
    expect(await suggestions('ﬁnn')).toStrictEqual(['finn'])
  })

  it('suggests none if no letter remains, or the name is reserved', async () => {
    expect(await suggestions('李')).toStrictEqual([])
    expect(await suggestions('guildhall')).toStrictEqual([])
  })

  it.each([
    [{}, field('global_name', 'INVALID_FORMAT')],
    [{ global_name: ' ' }, field('global_name', 'GLOBAL_NAME_LENGTH_INVALID')],
    [{ global_name: 'a'.repeat(33) }, field('global_name', 'GLOBAL_NAME_LENGTH_INVALID')],
    [{ global_name: 'here' }, field('global_name', 'GLOBAL_NAME_RESERVED_VALUE')],
  ])('refuses %j', async (body, expected) => {
    expectFields(await post('username-suggestions', body), expected)
  })
})
