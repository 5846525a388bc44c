import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inWantedOrder, movedBetween } from '../../../domain/guild/decisions/role-order.ts'
import type { GuildEvent } from '../../../domain/guild/events.ts'
import { guild } from '../../../domain/guild/guild.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { property } from '../../support/property.ts'
import { everyone, home, role } from '../../../domain/testing/people.ts'
import { owner, founded, reorder, hoist } from './role-sentences.ts'

describe('putting roles in order', () => {
  const orders = (...roles: readonly [number, boolean, number, number][]): GuildEvent => ({
    type: 'RolesReordered',
    data: {
      guildId: home,
      roles: roles.map(([number, moved, from, to]) => ({
        roleId: role(number),
        moved,
        before: { position: from },
        after: { position: to },
      })),
    },
  })

  it('numbers them densely from 1, and tells which moved and which made room', () => {
    given(guild, founded)
      .when(reorder([[role(3), 3]], owner))
      .then(orders([3, true, 1, 3], [1, false, 3, 2], [2, false, 2, 1]))
    given(guild, founded)
      .when(reorder([[role(1), 1]], owner))
      .then(orders([2, false, 2, 3], [3, false, 1, 2], [1, true, 3, 1]))
  })

  it('tells which one moved of two that have passed each other', () => {
    const sameRank: GuildEvent = {
      type: 'RolesReordered',
      data: {
        guildId: home,
        roles: [{ roleId: role(1), moved: false, before: { position: 3 }, after: { position: 2 } }],
      },
    }
    given(guild, [...founded, sameRank])
      .when(reorder([[role(2), 3]], owner))
      .then(orders([2, true, 2, 3]))
    given(guild, [...founded, sameRank])
      .when(reorder([[role(1), 2]], owner))
      .then(orders([2, true, 2, 3]))
    given(guild, founded)
      .when(reorder([[role(1), 2]], owner))
      .then(orders([2, false, 2, 3], [1, true, 3, 2]))
  })

  it('changes nothing if no role moves', () => {
    given(guild, founded).when(reorder([])).changesNothing()
    given(guild, founded)
      .when(
        reorder([
          [role(1), null],
          [role(2), 2],
          [role(3), 1],
        ]),
      )
      .changesNothing()
  })

  it('moves no role at or above one’s own, and none past one’s own', () => {
    given(guild, founded)
      .when(reorder([[role(1), 1]]))
      .refuses('MISSING_PERMISSIONS')
    given(guild, founded)
      .when(reorder([[role(2), 9]]))
      .refuses('MISSING_PERMISSIONS')
    given(guild, founded)
      .when(reorder([[role(3), 9]]))
      .changesNothing()
  })

  it("refuses everyone's role and foreign ones, each by its place in the list", () => {
    given(guild, founded)
      .when(
        reorder([
          [role(3), 1],
          [everyone, 1],
          [role(99), null],
        ]),
      )
      .refuses('INVALID_FORM_BODY', field('1.id', 'CANNOT_REORDER_EVERYONE_ROLE'), field('2.id', 'INVALID_ROLE_ID'))
  })

  it("lets everyone's role be named with the position that it has", () => {
    given(guild, founded)
      .when(
        reorder([
          [everyone, 0],
          [role(3), 1],
        ]),
      )
      .changesNothing()
  })

  it('gives each role the requested position, and the others the rest in their order', () => {
    const row = [5, 4, 3, 2, 1].map((position) => ({ id: role(position), position }))
    const wished = (wishes: readonly (readonly [number, number])[], fixed: readonly number[] = []) => {
      const wanted = new Map(wishes.map(([number, position]) => [role(number), position]))
      const order = inWantedOrder(row, wanted, ({ position }) => !fixed.includes(position))
      return order.map(({ position }) => position)
    }
    expect(
      wished([
        [1, 3],
        [3, 2],
      ]),
    ).toStrictEqual([5, 4, 1, 3, 2])
    expect(
      wished([
        [1, 99],
        [2, 99],
      ]),
    ).toStrictEqual([2, 1, 5, 4, 3])
    expect(
      wished([
        [5, 0],
        [4, 0],
      ]),
    ).toStrictEqual([3, 2, 1, 5, 4])
    expect(
      wished([
        [5, 20],
        [4, 0],
        [3, 10],
        [2, 15],
        [1, 5],
      ]),
    ).toStrictEqual([5, 2, 3, 1, 4])
    expect(wished([[1, 5]], [5, 4])).toStrictEqual([5, 4, 1, 3, 2])
    expect(
      wished(
        [
          [2, 5],
          [1, 4],
        ],
        [3],
      ),
    ).toStrictEqual([2, 1, 3, 5, 4])
  })

  const rows = fc
    .uniqueArray(fc.integer({ min: 0, max: 20 }), { maxLength: 8 })
    .chain((before) => fc.tuple(fc.constant(before), fc.shuffledSubarray(before, { minLength: before.length })))
  property('the other roles keep their order', rows, ([before, after]) => {
    const moved = movedBetween(before, after, (item) => item % 4)
    const stayed = (row: readonly number[]) => row.filter((item) => !moved.has(item))
    expect(stayed(after)).toStrictEqual(stayed(before))
    expect(moved.size).toBeLessThan(Math.max(1, before.length))
  })
})

describe('places among the roles that are shown apart', () => {
  const hoisted = (...roles: readonly [number, number | null, number | null][]): GuildEvent => ({
    type: 'RolesReordered',
    data: {
      guildId: home,
      roles: roles.map(([number, from, to]) => ({
        roleId: role(number),
        moved: true,
        before: { hoistPosition: from },
        after: { hoistPosition: to },
      })),
    },
  })

  it('are given and taken one by one, or all taken', () => {
    const events = [...founded, hoisted([3, null, 4])]
    given(guild, founded)
      .when(hoist([[role(3), 4]]))
      .then(hoisted([3, null, 4]))
    given(guild, events)
      .when(hoist([[role(3), 4]]))
      .changesNothing()
    given(guild, events)
      .when(hoist([[role(3), null]]))
      .then(hoisted([3, 4, null]))
    given(guild, events)
      .when(hoist('none'))
      .then(hoisted([3, 4, null]))
    given(guild, founded).when(hoist('none')).changesNothing()
  })

  it('are refused for roles at or above one’s own, even if all are removed', () => {
    given(guild, founded)
      .when(hoist([[role(1), 1]]))
      .refuses('MISSING_PERMISSIONS')
    given(guild, [...founded, hoisted([1, null, 1])])
      .when(hoist('none'))
      .refuses('MISSING_PERMISSIONS')
  })

  it("are refused of everyone's role and of foreign ones", () => {
    given(guild, founded)
      .when(
        hoist([
          [everyone, 1],
          [role(99), 1],
        ]),
      )
      .refuses(
        'INVALID_FORM_BODY',
        field('0.id', 'CANNOT_SET_HOIST_FOR_EVERYONE_ROLE'),
        field('1.id', 'INVALID_ROLE_ID'),
      )
  })
})
