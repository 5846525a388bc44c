import { describe, expect, it } from 'vitest'
import { destinationOf } from '../../../../adapters/event-store/eventstoredb/nodes/connection-string.ts'

describe('a connection string of EventStoreDB', () => {
  it.each([
    ['esdb://one:1?tls=false', 'alone', [['one', 1]]],
    [
      'esdb://one:1,two?tls=false',
      'gossip',
      [
        ['one', 1],
        ['two', 2113],
      ],
    ],
    ['esdb+discover://all?tls=false', 'dns', [['all', 2113]]],
  ])('%s says which nodes there are, and how the one that leads is found', (url, finding, seeds) => {
    const expected = { finding, seeds: seeds.map(([host, port]) => ({ host, port })) }
    expect(destinationOf(url)).toMatchObject(expected)
  })

  it('sends its user and password with TLS, and nobody without', () => {
    const authorization = `Basic ${Buffer.from('ada:pa ss').toString('base64')}`
    expect(destinationOf('esdb://ada:pa%20ss@one')).toMatchObject({ authorization, security: { own: undefined } })
    const plain = destinationOf('esdb://ada:pa%20ss@one?tls=false')
    expect([plain.authorization, plain.security]).toEqual([undefined, undefined])
  })

  it('with a file that is not there, or half of a certificate, can not be used', () => {
    for (const options of ['tlsCAFile=/no/such/file', 'userCertFile=/no/such/file']) {
      expect(() => destinationOf(`esdb://ada:s3cret@one?${options}`)).toThrow(/connection string of EventStoreDB/)
      expect(() => destinationOf(`esdb://ada:s3cret@one?${options}`)).not.toThrow(/s3cret/)
    }
  })
})
