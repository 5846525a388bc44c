import { QueryClient } from '@tanstack/react-query'
import { Admin, CustomRoutes, localStorageStore } from 'react-admin'
import { Navigate, Route } from 'react-router-dom'
import { Failure } from './api/failure.ts'
import { dataProvider } from './lists/data-provider.ts'
import { ConsoleLayout } from './layout.tsx'
import { authProvider } from './session/auth-provider.ts'
import { i18nProvider } from './texts/i18n.ts'
import { darkTheme, lightTheme } from './themes.ts'
import { resourceElements, views } from './views.tsx'

/** A browser without a network may reach a server beside it: whether it does is found out by asking, which goes on until it answers. */
const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: isWorthAnother, networkMode: 'always' }, mutations: { networkMode: 'always' } },
})
const attempts_max = 2

/** Whether a reading that failed so often may do next time: what is refused is said at once, what the server cannot do just now is tried again. */
function isWorthAnother(failures_count: number, error: unknown): boolean {
  return failures_count < attempts_max && error instanceof Failure && (error.status === 429 || error.status >= 500)
}

/** The console. Its addresses are fragments: what is searched for does not get into the logs of servers. */
export function Console() {
  return (
    <Admin
      title="Guildhall"
      dataProvider={dataProvider}
      queryClient={queryClient}
      authProvider={authProvider}
      i18nProvider={i18nProvider}
      layout={ConsoleLayout}
      store={localStorageStore('1', 'guildhall.console')}
      theme={lightTheme}
      darkTheme={darkTheme}
      requireAuth
      disableTelemetry
    >
      {resourceElements}
      <CustomRoutes>
        {views.flatMap(({ routes = [] }) =>
          routes.map(({ path, element }) => <Route key={path} path={path} element={element} />),
        )}
        <Route path="/" element={<Navigate to={views[0]?.path ?? '/'} replace />} />
      </CustomRoutes>
    </Admin>
  )
}
