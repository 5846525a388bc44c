import { memoryTickets } from '../../support/memory/memory-tickets.ts'
import { ticketsContract } from '../../contract/tickets-contract.ts'

ticketsContract('the tickets in memory', async () => {
  let now_ms = Date.UTC(2026, 4, 1)
  return {
    tickets: memoryTickets(() => now_ms),
    pass: async (seconds) => void (now_ms += seconds * 1000),
    close: async () => undefined,
  }
})
