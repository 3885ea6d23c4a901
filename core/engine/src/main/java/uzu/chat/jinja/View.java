package uzu.chat.jinja;

import java.util.List;

/** The items, keys or values of a dict: a length and an order, but no subscripts. */
record View(String type, List<Object> items) {}
