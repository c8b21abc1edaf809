"""What leaves the book as a file: tables for a spreadsheet, and everything of a club for another installation."""
