import { expect, it } from 'vitest'
import { reverseDns, lookup_ms_max } from '../../../adapters/network-lookups/reverse-dns.ts'
import { startNameServer } from '../../support/name-server.ts'
import { paced } from '../../support/pace.ts'

it('the host name of an address is null where the name server is silent, after a bounded time, however many ask', async () => {
  const server = await startNameServer()
  const hostName = reverseDns({ servers: [server.address] })
  const silent = Array.from({ length: 60 }, (_, index) => `${index + 1}`)
  for (const last of silent) server.answer(`${last}.2.0.192.in-addr.arpa`, 'silence')
  const began = performance.now()
  const names = await Promise.all(silent.map((last) => hostName(`192.0.2.${last}`)))
  expect(performance.now() - began).toBeLessThan(paced(lookup_ms_max + 1500))
  expect(new Set(names)).toStrictEqual(new Set([null]))
  await server.close()
})
