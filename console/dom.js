/** What views are made of: Preact, its hooks and htm, from one vendored file. */
export {
  Component,
  h,
  html,
  render,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "./vendor/htm-preact.js";
