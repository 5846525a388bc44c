import { expect, it } from 'vitest'
import { discoveryApplication } from '../../../domain/discovery-application/discovery-application.ts'
import { moderator, start } from '../../../domain/testing/people.ts'

const byFeature = (discoverable: boolean) =>
  ({ type: 'ChangeDiscoveryByFeature', discoverable, by: moderator, guild: null, now: start }) as const

it('taking DISCOVERABLE away changes nothing where there is no application; giving it is refused', () => {
  const { decide, initial } = discoveryApplication
  expect(decide(initial, byFeature(false))).toMatchObject({ outcome: 'accepted', events: [] })
  expect(decide(initial, byFeature(true))).toMatchObject({ outcome: 'refused' })
})
