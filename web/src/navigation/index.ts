export { screenUrl, urlOf } from './address.ts';
export { lazyScreen } from './lazy-screen.ts';
export { Link } from './link.tsx';
export { type FindRoute, Router, type ScreenRoute } from './router.ts';
export {
  RouterView,
  useNavigate,
  usePathname,
  useRouter,
  useRouterState,
  useSearch,
  useShownRoute,
} from './router-view.tsx';
