import { call } from '../api/call.ts'
import { withIds, type Resource } from '../lists/resource.ts'

/** Reports. The list takes each filter of List reports. */
export const reports: Resource = {
  pagedBy: 'listReports',
  list: async ({ filter, limit, offset, sort: { by, order } }) => {
    const query = {
      ...filter,
      sort_by: by === 'resolved_at' ? by : 'reported_at',
      sort_order: order,
      limit,
      offset,
    } as const
    const { reports: found, total } = await call('listReports', { query })
    return { data: withIds(found, ({ report_id: id }) => id), total }
  },
  one: async (id) => ({ ...(await call('getReport', { path: { report_id: id } })), id }),
}
