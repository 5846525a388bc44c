import { describe, expect, it } from 'vitest'
import { fairQueue } from '../../../application/commands/fair-queue.ts'

const turn = (address: string, account = '') => ({ address, account })

function drained(
  queue: ReturnType<typeof fairQueue<string>>,
  turns: Readonly<Record<string, ReturnType<typeof turn>>>,
) {
  const order: string[] = []
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
    order.push(item)
    const served = turns[item.slice(0, 1)]
    if (served) queue.charge(served, 1)
  }
  return order.join(' ')
}

describe('a fair queue', () => {
  it('takes turns among addresses, however many wait at one', () => {
    const queue = fairQueue<string>(100)
    const turns = { a: turn('A'), b: turn('B') }
    for (const item of ['a1', 'a2', 'a3', 'a4']) queue.push(turns.a, item)
    for (const item of ['b1', 'b2']) queue.push(turns.b, item)
    expect(drained(queue, turns)).toBe('a1 b1 a2 b2 a3 a4')
  })

  it('takes turns among the accounts of an address', () => {
    const queue = fairQueue<string>(100)
    const turns = { a: turn('A', '1'), b: turn('A', '2'), c: turn('C') }
    for (const item of ['a1', 'a2', 'a3']) queue.push(turns.a, item)
    queue.push(turns.b, 'b1')
    for (const item of ['c1', 'c2']) queue.push(turns.c, item)
    expect(drained(queue, turns)).toBe('a1 c1 b1 c2 a2 a3')
  })

  it('puts those who were not served recently before those who come again and again', () => {
    const queue = fairQueue<string>(100)
    const [a, b, c] = [turn('A'), turn('B'), turn('C')]
    for (const attacker of [a, b]) {
      queue.push(attacker, 'again')
      queue.shift()
      queue.charge(attacker, 2000)
      queue.push(attacker, 'again')
    }
    queue.push(c, 'first')
    expect(queue.shift()).toBe('first')
  })

  it('drops, when it is full, the newest of the one who has the most waiting', () => {
    const queue = fairQueue<string>(3)
    for (const item of ['a1', 'a2', 'a3']) expect(queue.push(turn('A'), item)).toBeUndefined()
    expect(queue.push(turn('B'), 'b1')).toBe('a3')
    expect(queue.push(turn('A'), 'a4')).toBe('a4')
    expect(queue.size).toBe(3)
  })
})
